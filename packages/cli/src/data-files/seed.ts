import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  type DynamoDBClient,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { CommandError, EXIT_FAILED } from '../command-error.js'
import { importItems } from '../commands/import.js'
import { endpointFailure } from '../endpoint-failure.js'

/** A table that was seeded. */
export interface SeededTable {
  readonly table: string
  readonly items: number
}

const DEFINITION = /\.table\.json$/
/** Much longer than a table takes. */
const MAX_WAIT_SECONDS = 600
const DATA = /\.(jsonl|ndjson|json|csv)(\.gz)?$/

/**
 * Creates tables and writes their items. A table is a file `NAME.table.json`, the input of a CreateTable request or the
 * answer of DescribeTable. Its items are in the files beside it whose names begin with `NAME.`, or in the folder `NAME`.
 *
 * @param path one such file, or a folder with several
 */
export async function seed(
  client: DynamoDBClient,
  path: string,
  signal: AbortSignal,
): Promise<readonly SeededTable[]> {
  const seeded: SeededTable[] = []
  for (const file of definitionsOf(path)) {
    const input = definitionIn(file)
    const stem = basename(file).replace(DEFINITION, '')
    await createIfMissing(client, input)
    // Where creating a table takes as long as on the service, it takes no items before.
    await waitUntilTableExists(
      { client, maxWaitTime: MAX_WAIT_SECONDS, minDelay: 1, maxDelay: 1, abortSignal: signal },
      { TableName: input.TableName },
    )
    let items = 0
    for (const data of dataOf(dirname(file), stem)) {
      items += await importItems(client, input.TableName, data, {
        dryRun: false,
        signal,
        onProgress: () => {},
      }).catch((error: unknown) => {
        signal.throwIfAborted()
        if (!(error instanceof Error) || error instanceof CommandError) throw error
        throw endpointFailure(`The items of ${data} cannot be written to ${input.TableName}`, error)
      })
    }
    seeded.push({ table: input.TableName, items })
  }
  return seeded
}

function definitionsOf(path: string): readonly string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined)
    throw new CommandError(`--seed-from is '${path}', which does not exist.`, EXIT_FAILED)
  const files = stats.isDirectory()
    ? readdirSync(path)
        .filter((name) => DEFINITION.test(name))
        .sort()
        .map((name) => join(path, name))
    : [path]
  if (files.length > 0 && files.every((file) => DEFINITION.test(file))) return files
  throw new CommandError(
    `--seed-from is '${path}'; it must be a file NAME.table.json with the input of CreateTable, or a folder with such files.`,
    EXIT_FAILED,
  )
}

/**
 * A file beside the definition, or a folder: both have the name of the table's file. The name of a table may have dots, so that a file
 * of the table `orders.old` begins like one of `orders`.
 */
function dataOf(folder: string, stem: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  const others = entries
    .filter(({ name }) => DEFINITION.test(name) && name.startsWith(`${stem}.`))
    .map(({ name }) => name.replace(DEFINITION, ''))
    .filter((name) => name !== stem)
  const isOwn = (name: string) => isDataOf(stem, name) && !others.some((other) => isDataOf(other, name))
  return entries
    .filter((entry) => (entry.isDirectory() ? entry.name === stem : isOwn(entry.name)))
    .map(({ name }) => join(folder, name))
    .sort()
}

function isDataOf(stem: string, name: string): boolean {
  return name.startsWith(`${stem}.`) && DATA.test(name.slice(stem.length)) && !DEFINITION.test(name)
}

type Definition = CreateTableCommandInput & { readonly TableName: string }

function definitionIn(file: string): Definition {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new CommandError(`The table definition ${file} is not JSON.`, EXIT_FAILED, { cause })
  }
  const { Table, ...rest } = Object(value) as { readonly Table?: object }
  const { TableName, KeySchema, AttributeDefinitions, ...more } = (Table ?? rest) as Partial<Definition>
  if (TableName === undefined || KeySchema === undefined || AttributeDefinitions === undefined) {
    throw new CommandError(
      `The table definition ${file} must have TableName, KeySchema and AttributeDefinitions, as a CreateTable request.${templateCure(rest)}`,
      EXIT_FAILED,
    )
  }
  if (Table === undefined) return { TableName, KeySchema, AttributeDefinitions, ...more }
  return { TableName, KeySchema, AttributeDefinitions, ...fromDescription(more) }
}

/** Infrastructure code is at hand where tables are known, and its resources have almost the form of a request. */
function templateCure(value: object): string {
  const isTemplate = 'Resources' in value || 'Properties' in value
  return isTemplate
    ? ' It is a CloudFormation template or resource: save the Properties of one table, with its TableName.'
    : ''
}

/** What a description of a table says of its creation. Capacity is left to on-demand. */
function fromDescription({
  GlobalSecondaryIndexes,
  LocalSecondaryIndexes,
  StreamSpecification,
}: Partial<Definition>) {
  const index = <Index extends { IndexName?: string | undefined }>({ IndexName, ...rest }: Index) => {
    const { KeySchema, Projection } = rest as { readonly KeySchema?: never; readonly Projection?: never }
    return { IndexName, KeySchema, Projection }
  }
  return {
    BillingMode: 'PAY_PER_REQUEST' as const,
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(index) }),
    ...(LocalSecondaryIndexes && { LocalSecondaryIndexes: LocalSecondaryIndexes.map(index) }),
    ...(StreamSpecification && { StreamSpecification }),
  }
}

/** With `--data`, the tables are there again at the next start. */
async function createIfMissing(client: DynamoDBClient, input: Definition): Promise<void> {
  try {
    await client.send(new CreateTableCommand(input))
  } catch (error) {
    if (!(error instanceof Error) || error.name === 'ResourceInUseException') return
    throw new CommandError(`The table ${input.TableName} cannot be created: ${error.message}`, EXIT_FAILED, {
      cause: error,
    })
  }
}
