"""Start of the box: copied to the Pico together with box.py, debounce.py and hal.py."""

import hal
from box import Box

box = Box(hal)
while True:
    box.step()
    hal.rest()
