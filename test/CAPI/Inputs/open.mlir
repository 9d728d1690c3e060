// The greatest of each four values, of any number of pictures.
func.func @main(%in: tensor<?x2x2x1xi8>) -> tensor<?x1x1x1xi8> {
  %0 = tosa.max_pool2d %in
    {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
    : (tensor<?x2x2x1xi8>) -> tensor<?x1x1x1xi8>
  %1 = tosa.max_pool2d %0
    {kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>}
    : (tensor<?x1x1x1xi8>) -> tensor<?x1x1x1xi8>
  return %1 : tensor<?x1x1x1xi8>
}
