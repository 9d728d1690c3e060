"""dscnn-layers.py: the layers of kws_dscnn from its shapes: kernel, shape, products, bytes.

49x10 spectra; one convolution of 10x4, then four pairs of 3x3 for each channel and 1x1, all
of 25x5 places and 64 channels; the average of each channel, 12 sums, a softmax. Weights,
maps and results are bytes, biases four of them."""

PLACES, CHANNELS, WORDS = 25 * 5, 64, 12
FEATURES = PLACES * CHANNELS


def show_map(kernel, taps, inputs, weights):
    total = inputs + weights + 4 * CHANNELS + FEATURES
    print(kernel, "25x5x64", FEATURES * taps, total)


show_map("conv2d", 10 * 4, 49 * 10, 10 * 4 * CHANNELS)
for _ in range(4):
    show_map("depthwise_conv2d", 3 * 3, FEATURES, 3 * 3 * CHANNELS)
    show_map("conv2d", CHANNELS, FEATURES, CHANNELS * CHANNELS)
# The average is products with ones, one for each place, and reads each as a channel's row.
print("depthwise_conv2d", "1x64x1", FEATURES, FEATURES + PLACES + 4 + CHANNELS)
print("fully_connected", "12", CHANNELS * WORDS, CHANNELS + CHANNELS * WORDS + 4 * WORDS + WORDS)
print("softmax", "12", WORDS, 2 * WORDS)
