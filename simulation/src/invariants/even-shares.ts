/** Deviations of a normal distribution: with chance alone that happens once in three million times. */
const UNLIKELY_DEVIATIONS = 5

/** Shares of chance are like a chi-square distribution only where each is of a few. */
const MIN_EXPECTED = 2

/**
 * Whether so many, thrown into as many places as there are, may have fallen like that by chance.
 *
 * By Pearson's test; the quantile is by Wilson and Hilferty: The distribution of chi-square (1931).
 */
export function areEven(counts: readonly number[]): boolean {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const expected = total / counts.length
  const freedom = counts.length - 1
  if (freedom === 0 || expected < MIN_EXPECTED) return true
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  const spread = 2 / (9 * freedom)
  return chiSquare <= freedom * (1 - spread + UNLIKELY_DEVIATIONS * Math.sqrt(spread)) ** 3
}

/**
 * Whether so many may have fallen like that by chance where each was thrown into the cooler of two places. A cool place gets each for
 * which it was drawn first, and the coolest one each for which it was drawn at all.
 *
 * @param isCool whether nobody was sent away from a place
 */
export function areOfCoolerPlaces(counts: readonly number[], isCool: (place: number) => boolean): boolean {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const drawnFirst = 1 / counts.length
  const drawn = 1 - (1 - drawnFirst) ** 2
  const deviation = (share: number) => UNLIKELY_DEVIATIONS * Math.sqrt(total * share * (1 - share))
  const least = total * drawnFirst - deviation(drawnFirst)
  const most = total * drawn + deviation(drawn)
  return counts.every((count, place) => count <= most && (count >= least || !isCool(place)))
}
