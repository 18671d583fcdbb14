/** The processor time of this process, collection of garbage included. Other work on the machine adds less to it than to time. */
export function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
