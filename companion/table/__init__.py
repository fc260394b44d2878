"""The words of every game and the crank that turns events into effects. Pure, standard library only."""
