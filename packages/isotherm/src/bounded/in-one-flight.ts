/** Starts work unless the work of that name is under way, which is joined then. */
export function inOneFlight<T>(
  flights: Map<string, Promise<T>>,
  name: string,
  start: () => Promise<T>,
): Promise<T> {
  const under = flights.get(name)
  if (under !== undefined) return under
  const flight = start().finally(() => flights.delete(name))
  flights.set(name, flight)
  return flight
}
