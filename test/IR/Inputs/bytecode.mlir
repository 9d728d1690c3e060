#compact = #mli.layout<compact, mode = 4N, dims = [n, c], npus = 4, npu_elements = 64, start_npu = 3, strides = [2, 1, 1, 1]>
#matrix = #mli.layout<matrix, dims = [n, w], npus = 4, npu_elements = 64, columns = 8, strides = [16, 8, 8, 1]>
module attributes {
    mli.target = #mli.target<custom, npus = 4, npu_bytes = 64, unit = 16, banks = 2, dma_align = 8>,
    own.act = #mli.rnn_act<sigm>,
    own.data = #mli.data<dense<[1, 2]> : tensor<2xi8>>,
    own.format = #mli.lut_format<in_frac_bits = -5, input_offset = 2147483647>,
    own.lut = #mli.lut_function<l2_normalize>,
    own.map = #mli.map_layout<chw>,
    own.reason = #mli.copy_reason<padding>,
    own.preset = #mli.target<bm1684x>,
    own.relu = #mli.relu<relu6>,
    own.space = #mli.space<local>} {
  func.func private @types(
      tensor<4x!mli.fx4<-3>>, tensor<4x!mli.fx8<21>>, tensor<4x!mli.fx16<127>>,
      tensor<4x!mli.sa32<5:3:-7>>,
      tensor<2x!mli.sa8<axis = 0, {1:-128:-32768, 32767:127:32767}>>)
  func.func private @layouts(
      memref<8x5x!mli.fx8<21>, #compact, #mli.space<local>>,
      memref<4x16x!mli.fx8<21>, #matrix, #mli.space<local>>)
}
