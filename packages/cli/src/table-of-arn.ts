import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CommandError } from './command-error.js'

const ARN = /^arn:[^:]+:dynamodb:[^:]*:[^:]*:table\/([^/]+)$/

/**
 * The name of a table that a flag names, or has the ARN of. CloudWatch knows tables by their names alone, and only those of the region and
 * account that are asked.
 *
 * @throws CommandError for the ARN of another table of this name, in another region or account
 */
export async function tableOfArn(
  client: DynamoDBClient,
  given: string,
  signal: AbortSignal,
): Promise<string> {
  const [, name] = ARN.exec(given) ?? []
  if (name === undefined) return given
  // Who may not describe it gets the error of the request that needs it.
  const described = client.send(new DescribeTableCommand({ TableName: name }), { abortSignal: signal })
  const found = await described.then(({ Table }) => Table?.TableArn).catch(() => undefined)
  signal.throwIfAborted()
  if (found === undefined || found === given) return name
  throw new CommandError(
    `--table is '${given}'; the table ${name} of this region and account is ${found}. Check --region, --profile and --endpoint.`,
  )
}
