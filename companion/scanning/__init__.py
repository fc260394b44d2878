"""Score only: finished tables counted under the camera, or from pictures. One file a game, each with its command."""
