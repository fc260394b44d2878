"""Sound as arrays: clips, lanes, the mixing desk, chimes. Pure: no clock, no thread, no device, no file."""
