"""Where the table meets the machine: pins, boxes, cameras, clocks, speech, files and screens."""
