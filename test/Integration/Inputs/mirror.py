# SPDX-License-Identifier: Apache-2.0
#
# Lays networks out as the site has them that tools/networks fetches from.

import csv
import os
import sys

models, site = sys.argv[1:]
table = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Models/networks.csv")
for network in csv.DictReader(open(table, newline="")):
    path = os.path.join(site, network["repository"], network["commit"], network["path"])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.symlink(os.path.join(models, network["name"], "model.tflite"), path)
