/**
 * How the names of Amazon DynamoDB's own endpoints end, also those of a VPC, for each partition of AWS. They are the partitions of the SDK,
 * which has no function that returns them.
 */
const ENDINGS = [
  'amazonaws.com',
  'amazonaws.com.cn',
  'amazonaws.eu',
  'c2s.ic.gov',
  'sc2s.sgov.gov',
  'csp.hci.ic.gov',
  'cloud.adc-e.uk',
] as const

/** Those for both IP versions. The SDK refuses the names of streams that would belong to them. */
const ENDINGS_OF_BOTH_VERSIONS = [
  'api.aws',
  'api.amazonwebservices.com.cn',
  'api.amazonwebservices.eu',
  'api.aws.ic.gov',
  'api.aws.scloud',
  'api.aws.hci.ic.gov',
  'api.cloud-aws.adc-e.uk',
] as const

/** The names of those of an account begin with its number. */
const OF_A_REGION = new RegExp(
  `^(?:dynamodb|\\d{12}\\.ddb)((?:-fips)?\\.[a-z0-9-]+\\.(?:${ENDINGS.map((ending) => ending.replaceAll('.', '\\.')).join('|')}))$`,
)

/** Of the names of its hosts: those of machines and load balancers of AWS, where another engine or a proxy may run, end alike. */
const SERVICE_LABEL = /(?:^|\.)(?:dynamodb|ddb)(?:-fips)?\./

/** Whether a host is one of Amazon DynamoDB, and not of another engine or of a proxy. */
export function isAmazonHost(hostname: string): boolean {
  if (!SERVICE_LABEL.test(hostname)) return false
  return [...ENDINGS, ...ENDINGS_OF_BOTH_VERSIONS].some((ending) => hostname.endsWith(`.${ending}`))
}

/** The host of the streams of a region, if the host is that of its tables. */
export function streamsHostOf(hostname: string): string | undefined {
  const [, place] = OF_A_REGION.exec(hostname) ?? []
  return place === undefined ? undefined : `streams.dynamodb${place}`
}
