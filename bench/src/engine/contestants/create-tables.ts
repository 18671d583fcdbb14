import { SystemClock } from '@isotherm/runtime'
import { TABLES } from '../measured-operations.js'

const PATIENCE_MILLISECONDS = 60_000
const PAUSE_MILLISECONDS = 50

const AUTHORIZATION =
  'AWS4-HMAC-SHA256 Credential=any/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date;x-amz-target, Signature=0000'

/** Waits until a service answers, and creates the tables in it. @throws Error if it does not answer within a minute */
export async function createTables(port: number): Promise<void> {
  await until(() =>
    ask(port, 'ListTables', {}).then(
      () => true,
      () => false,
    ),
  )
  for (const table of TABLES) {
    await ask(port, 'CreateTable', table)
    await until(async () => {
      const { Table } = (await ask(port, 'DescribeTable', { TableName: table.TableName })) as {
        readonly Table: { readonly TableStatus: string }
      }
      return Table.TableStatus === 'ACTIVE'
    })
  }
}

/** One request. @throws Error unless it is answered with success */
export async function ask(port: number, operation: string, input: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20261121T000000Z',
      authorization: AUTHORIZATION,
    },
    body: JSON.stringify(input),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${operation} was answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  const clock = new SystemClock()
  const from = clock.now()
  while (!(await isDone())) {
    if (clock.now() - from > PATIENCE_MILLISECONDS) throw new Error('The service does not answer.')
    await clock.sleep(PAUSE_MILLISECONDS)
  }
}
