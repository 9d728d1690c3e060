# SPDX-License-Identifier: Apache-2.0
"""What two sets of tensors have in common, added up over many cases."""

from __future__ import annotations

import math

import numpy as np

from ._cases import Array


class Comparison:
    """Adds up how far tensors are from their references.

    Differences are in steps: one is a unit of quantised values. SQNR is that of
    all elements together, in dB; infinite where nothing differs.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cases = 0
        self.elements = 0
        self.equal = 0
        self.largest = 0.0
        self.worst = ""
        self._signal = 0.0
        self._noise = 0.0

    def add(
        self, case: str, ours: Array, reference: Array, zero_point: int
    ) -> None:
        """Adds the codes `ours`; `reference` is in codes as well."""
        wanted = reference.astype(np.float64).ravel()
        difference = ours.astype(np.float64).ravel() - wanted
        largest = float(np.max(np.abs(difference), initial=0))
        if not self.cases or largest > self.largest:
            self.largest, self.worst = largest, case
        self.cases += 1
        self.elements += wanted.size
        self.equal += int(np.count_nonzero(np.abs(difference) < 0.5))
        self._signal += float(np.sum((wanted - zero_point) ** 2))
        self._noise += float(np.sum(difference**2))

    @property
    def sqnr(self) -> float:
        """10 log10 of the squares of the reference over those of differences."""
        if self._noise == 0:
            return math.inf
        if self._signal == 0:
            return -math.inf
        return 10 * math.log10(self._signal / self._noise)


class Ranking:
    """Counts cases in which two classifiers agree."""

    def __init__(self) -> None:
        self.cases = 0
        self.top1 = 0
        self.top5 = 0
        self.right = 0
        self.reference_right = 0
        self.labelled = 0

    def add(
        self, ours: Array, reference: Array, label: int | None = None
    ) -> None:
        """Adds the scores of one case. Of equal scores the first one counts."""
        first, wanted = int(np.argmax(ours)), int(np.argmax(reference))
        best = np.argsort(-ours.ravel().astype(np.float64), kind="stable")[:5]
        self.cases += 1
        self.top1 += first == wanted
        self.top5 += wanted in best
        if label is not None:
            self.labelled += 1
            self.right += first == label
            self.reference_right += wanted == label
