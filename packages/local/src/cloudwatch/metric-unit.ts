/**
 * Units other than counts. Source:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
 */
const UNITS: ReadonlyMap<string, string> = new Map([
  ['SuccessfulRequestLatency', 'Milliseconds'],
  ['ReturnedBytes', 'Bytes'],
  ['AccountProvisionedReadCapacityUtilization', 'Percent'],
  ['AccountProvisionedWriteCapacityUtilization', 'Percent'],
  ['MaxProvisionedTableReadCapacityUtilization', 'Percent'],
  ['MaxProvisionedTableWriteCapacityUtilization', 'Percent'],
])

/** The unit a metric is published in. */
export function unitOf(metric: string): string {
  return UNITS.get(metric) ?? 'Count'
}
