# SPDX-License-Identifier: Apache-2.0
#
# All networks of one operator, by name. Those of 8 bits are listed in `cases` by
# the files that have them.

import cases
import weighted
import elementwise
import moves
import recurrent
import takes
import unsigned
import wide

CASES = {**cases.CASES, **recurrent.CASES, **wide.CASES}
