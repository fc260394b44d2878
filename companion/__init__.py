"""A Raspberry Pi beside a physical card game.

Imported before numpy, so that numpy's BLAS takes one thread: the reader's products are small, and a thread for
each core would spin while it waits for the others, next to the camera, the voice and the screens. Figure: half
the processor time of a read, and with all cores busy 75 ms instead of up to 7 seconds.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
