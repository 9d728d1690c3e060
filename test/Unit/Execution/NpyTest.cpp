// SPDX-License-Identifier: Apache-2.0

#include "mli/Execution/Npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace mli;
using testing::Eq;
using testing::HasSubstr;

/// A file of version `major`.0 with `header` and `data`.
static std::string file(const std::string &header, const std::string &data,
                        char major = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {major, 0};
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i)
    bytes += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return bytes + header + data;
}

static std::string dictionary(const std::string &descr,
                              const std::string &shape,
                              const std::string &fortran = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + fortran +
         ", 'shape': " + shape + ", }\n";
}

static std::string getError(const std::string &bytes) {
  std::string error;
  EXPECT_FALSE(parseNpy(bytes, error)) << bytes;
  EXPECT_THAT(error, HasSubstr("expected")) << bytes;
  return error;
}

static HostTensor parse(const std::string &bytes) {
  std::string error;
  std::optional<HostTensor> tensor = parseNpy(bytes, error);
  EXPECT_TRUE(tensor) << error;
  return tensor.value_or(HostTensor());
}

TEST(NpyTest, ReadsEachTypeOfEitherByteOrder) {
  struct Case {
    const char *descr;
    HostElement element;
    std::string data;
    double value;
  };
  for (const Case &test :
       {Case{"|i1", HostElement::I8, "\x80", -128},
        Case{"<i1", HostElement::I8, "\x80", -128},
        Case{"|u1", HostElement::U8, "\x80", 128},
        Case{"<i2", HostElement::I16, "\xfe\xff", -2},
        Case{">i2", HostElement::I16, "\xff\xfe", -2},
        Case{"<i4", HostElement::I32, std::string("\1\2\0\0", 4), 513},
        Case{">i4", HostElement::I32, std::string("\0\0\2\1", 4), 513},
        Case{"<f4", HostElement::F32, std::string("\0\0\xc0\x3f", 4), 1.5},
        Case{">f4", HostElement::F32, std::string("\x3f\xc0\0\0", 4), 1.5}}) {
    HostTensor tensor = parse(file(dictionary(test.descr, "(1,)"), test.data));
    EXPECT_EQ(tensor.element, test.element) << test.descr;
    EXPECT_EQ(tensor.shape, std::vector<int64_t>{1}) << test.descr;
    EXPECT_EQ(tensor.get(0), test.value) << test.descr;
  }
}

TEST(NpyTest, ReadsEachVersion) {
  for (char major : {1, 2, 3})
    EXPECT_EQ(parse(file(dictionary("|i1", "(2, 1)"), "ab", major)).shape,
              (std::vector<int64_t>{2, 1}));
}

TEST(NpyTest, ReadsScalarsAndEmptyTensors) {
  EXPECT_TRUE(parse(file(dictionary("|i1", "()"), "a")).shape.empty());
  // Larger than any memory, but for the 0.
  HostTensor empty = parse(file(
      dictionary("<i4", "(999999999999999999, 999999999999999999, 0)"), ""));
  EXPECT_EQ(empty.getNumElements(), 0U);
}

TEST(NpyTest, ReadsKeysInAnyOrderAndWithDoubleQuotes) {
  std::string header = " { \"shape\" : ( 3 , ) , \"fortran_order\":False,"
                       "\"descr\":\"|i1\"} ";
  EXPECT_EQ(parse(file(header, "abc")).shape, std::vector<int64_t>{3});
}

TEST(NpyTest, RefusesOtherFiles) {
  EXPECT_EQ(getError(""), "expected a .npy file, but got other content");
  EXPECT_EQ(getError("PK\3\4 a zip file of arrays"),
            "expected a .npy file, but got other content");
  EXPECT_EQ(getError(std::string("\x93NUMPY\4\0\0\0", 10)),
            "expected .npy version 1.0, 2.0 or 3.0, but got 4.0");
  EXPECT_EQ(getError(std::string("\x93NUMPY\1\1\0\0", 10)),
            "expected .npy version 1.0, 2.0 or 3.0, but got 1.1");
}

TEST(NpyTest, RefusesOtherTypesAndOrders) {
  const std::string types = "expected 'descr' to be i1, u1, i2, i4 or f4";
  for (const char *descr : {"<f8", "<i8", "|b1", "<u2", "<c8", "|S4", "|O",
                            "|i2", "<U3", "i1", "", "<"})
    EXPECT_EQ(getError(file(dictionary(descr, "(1,)"), "12345678")),
              types + ", but got '" + descr + "'");
  EXPECT_EQ(getError(file("{'descr': [('a', '<i4')], 'fortran_order': False, "
                          "'shape': (1,)}",
                          "1234")),
            types + ", but got a structure");
  EXPECT_EQ(getError(file(dictionary("|i1", "(1,)", "True"), "1")),
            "expected elements in C order, but got Fortran order");
}

TEST(NpyTest, RefusesShapesThatAreNone) {
  struct Case {
    const char *shape;
    const char *error;
  };
  for (const Case &test : {
           Case{"3", "expected 'shape' to start with '(', but got '3, }?'"},
           Case{"[1]", "expected 'shape' to start with '(', but got '[1], }?'"},
           Case{"None",
                "expected 'shape' to start with '(', but got 'None, }?'"},
           Case{"(3)", "expected ',' in a 'shape' of one extent, but got none"},
           Case{"(-1,)", "expected an extent in 'shape', but got '-1,), }?'"},
           Case{"(,)", "expected an extent in 'shape', but got ',), }?'"},
           Case{"(1,,2)", "expected an extent in 'shape', but got ',2), }?'"},
           Case{"('1',)", "expected an extent in 'shape', but got ''1',), }?'"},
           Case{"(1,", "expected an extent in 'shape', but got ', }?'"},
           Case{"(1 2)", "expected ',' or ')' in 'shape', but got '2), }?'"},
           Case{"(1.5,)", "expected ',' or ')' in 'shape', but got '.5,), }?'"},
       })
    EXPECT_EQ(getError(file(dictionary("|i1", test.shape), "123")), test.error);
}

TEST(NpyTest, RefusesSizesThatAreNotTheData) {
  EXPECT_EQ(getError(file(dictionary("<i2", "(2, 3)"), "12345678901")),
            "expected 12 bytes of data for shape [2, 3] of int16, but got 11");
  EXPECT_EQ(getError(file(dictionary("<i2", "(2, 3)"), "1234567890123")),
            "expected 12 bytes of data for shape [2, 3] of int16, but got 13");
  // 2^32 * 2^32 is 0 in 64 bits.
  EXPECT_THAT(getError(file(dictionary("|i1", "(4294967296, 4294967296)"), "")),
              HasSubstr("expected more than 2^63 bytes of data"));
  EXPECT_THAT(getError(file(dictionary("<i4", "(999999999999999999,)"), "1")),
              HasSubstr("but got 1"));
  EXPECT_THAT(getError(file(dictionary("|i1", "(99999999999999999999,)"), "1")),
              Eq("expected an extent in 'shape' to have at most 18 digits, but "
                 "got 20"));
}

TEST(NpyTest, PrintsTheStartOfLongShapes) {
  EXPECT_EQ(formatShape({}), "[]");
  EXPECT_EQ(formatShape({1, 2, 3, 4, 5, 6, 7, 8}), "[1, 2, 3, 4, 5, 6, 7, 8]");
  EXPECT_EQ(formatShape({1, 2, 3, 4, 5, 6, 7, 8, 9}),
            "[1, 2, 3, 4, 5, 6, 7, 8, ... 9 dimensions]");
  std::string shape = "(";
  for (int i = 0; i < 10000; ++i)
    shape += "2,";
  EXPECT_LT(getError(file(dictionary("|i1", shape + ")"), "")).size(), 200U);
}

TEST(NpyTest, RefusesHeadersThatAreNone) {
  struct Case {
    const char *header;
    const char *error;
  };
  for (const Case &test : {
           Case{"", "expected the header to start with '{', but got the end of "
                    "the header"},
           Case{"()", "expected the header to start with '{', but got '()'"},
           Case{"{", "expected a string in the header, but got the end of the "
                     "header"},
           Case{"{}", "expected the header to have 'descr', but got none"},
           Case{"{'descr'", "expected ':' after a key of the header, but got "
                            "the end of the header"},
           Case{"{'descr':", "expected a string in the header, but got the end "
                             "of the header"},
           Case{"{'descr': '|i1}",
                "expected a string that ends, but got ''|i1}'"},
           Case{"{'descr': '|i1'",
                "expected ',' or '}' in the header, but got the end of the "
                "header"},
           Case{"{'descr': '|i1', 'fortran_order': False}",
                "expected the header to have 'shape', but got none"},
           Case{"{'descr': '|i1', 'descr': '|i1', 'fortran_order': False, "
                "'shape': ()}",
                "expected the header to have 'descr' once, but got it twice"},
           Case{"{'descr': '|i1', 'fortran_order': 0, 'shape': ()}",
                "expected 'fortran_order' to be False, but got '0, 'shape': '"},
           Case{"{'descr': '|i1', 'fortran_order': False, 'shape': (), "
                "'more': 1}",
                "expected the keys of the header to be 'descr', "
                "'fortran_order' and 'shape', but got another one"},
           Case{"{'descr': '|i1', 'fortran_order': False, 'shape': ()} 1",
                "expected nothing after the header's '}', but got '1'"},
           Case{"{'descr': '|i1' 'fortran_order': False, 'shape': ()}",
                "expected ',' or '}' in the header, but got ''fortran_ord'"},
       })
    EXPECT_EQ(getError(file(test.header, "1")), test.error);
}

TEST(NpyTest, RefusesEveryPartOfAFile) {
  for (char major : {1, 2}) {
    const std::string whole =
        file(dictionary("<i4", "(2, 1)"), "12345678", major);
    for (size_t length = 0; length < whole.size(); ++length)
      getError(whole.substr(0, length));
  }
  EXPECT_EQ(getError("\x93NUMPY"),
            "expected a whole .npy header, but the file ends in it");
  const std::string whole = file("{'descr': '|i1'}", "");
  EXPECT_EQ(getError(whole.substr(0, whole.size() - 3)),
            "expected a .npy header of 16 bytes, but got 13");
}

TEST(NpyTest, SurvivesAnyByteAnywhere) {
  const std::string whole = file(dictionary("<i4", "(2, 1)"), "12345678");
  for (size_t i = 0; i < whole.size(); ++i)
    for (int byte = 0; byte < 256; ++byte) {
      std::string bytes = whole, error;
      bytes[i] = static_cast<char>(byte);
      std::optional<HostTensor> tensor = parseNpy(bytes, error);
      if (tensor)
        EXPECT_EQ(tensor->data.size(), 8U);
      else
        EXPECT_THAT(error, HasSubstr("expected")) << i << " " << byte;
    }
}

TEST(NpyTest, WritesWhatItReads) {
  for (const std::vector<int64_t> &shape :
       {std::vector<int64_t>{}, {4}, {2, 3}, {1, 2, 0, 5}})
    for (HostElement element :
         {HostElement::I8, HostElement::U8, HostElement::I16, HostElement::I32,
          HostElement::F32}) {
      HostTensor tensor;
      tensor.element = element;
      tensor.shape = shape;
      size_t count = 1;
      for (int64_t extent : shape)
        count *= static_cast<size_t>(extent);
      for (size_t i = 0; i < count * getElementBytes(element); ++i)
        tensor.data.push_back(static_cast<char>(37 * i));
      std::string bytes = formatNpy(tensor);
      EXPECT_EQ((bytes.size() - tensor.data.size()) % 64, 0U);
      HostTensor again = parse(bytes);
      EXPECT_EQ(again.element, element);
      EXPECT_EQ(again.shape, shape);
      EXPECT_EQ(again.data, tensor.data);
    }
}

TEST(NpyTest, WritesTheHeaderOfNumPy) {
  HostTensor tensor;
  tensor.element = HostElement::I16;
  tensor.shape = {1, 2};
  tensor.data = {1, 0, 2, 0};
  EXPECT_EQ(formatNpy(tensor),
            file("{'descr': '<i2', 'fortran_order': False, 'shape': (1, 2), }" +
                     std::string(58, ' ') + "\n",
                 std::string("\1\0\2\0", 4)));
}
