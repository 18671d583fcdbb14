import { atMostText } from '@isotherm/semantics'
/** The parts of a table's ARN. */
export interface TableArn {
  readonly region: string
  readonly account: string
  readonly name: string
}

/** Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DescribeTable.html */
const MAX_ARN_LENGTH = 1024
const FORMAT = /^arn:aws[a-z-]*:dynamodb:([a-z0-9-]+):(\d{12}):([a-z]+)\/([a-zA-Z0-9_.-]{3,255})$/

/** The account in all ARNs. The engine has only one. */
export const ACCOUNT = '000000000000'

export function tableArn(region: string, name: string): string {
  return `arn:aws:dynamodb:${region}:${ACCOUNT}:table/${name}`
}

export function isArn(text: string): boolean {
  return text.startsWith('arn:')
}

/** Parses a table's ARN. Returns `undefined` when the text is not one. */
export function parseTableArn(text: string): TableArn | undefined {
  // Nearly every request uses the plain table name.
  if (!isArn(text)) return undefined
  const [, region, account, type, name] = FORMAT.exec(text) ?? []
  if (region === undefined || account === undefined || type !== 'table' || name === undefined)
    return undefined
  return { region, account, name }
}

/** The reason why a text is not a table's ARN, in the service's words, or `undefined` when it is one. */
export function tableArnViolation(text: string): string | undefined {
  if (text.length > MAX_ARN_LENGTH) return atMostText('length', MAX_ARN_LENGTH)
  if (parseTableArn(text) !== undefined) return undefined
  return "Valid ARN format is 'arn:<awsPartition>:<vendor>:<region>:<subscriber>:resourceType/resourceName', where Resource name must have length less than or equal to 255, Resource name must have length greater than or equal to 3, Resource name must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
}
