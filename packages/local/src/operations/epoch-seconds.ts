/** A time in responses: seconds since the epoch, with milliseconds, as on the service. The engine's clock is finer. */
export function epochSeconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}
