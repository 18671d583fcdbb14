import { isDocumentCommand } from './operation.js'
import type { AnyCommand, PhysicalClient } from './physical-client.js'
import { withoutNulls } from './without-nulls.js'

/** A request in the SDK's low-level form, converted from a command of either form. */
export interface LowLevelRequest {
  readonly input: Readonly<Record<string, unknown>>
  /** Converts an output to the form that the caller of the command expects. `undefined` if it has that form already. */
  readonly present: ((output: object) => Promise<object>) | undefined
  /** Copies the middleware that the application added to the command to another command. */
  carryMiddleware(to: AnyCommand): void
}

type Handler = (request: object) => Promise<{ readonly output: object }>
type Middleware = (next: Handler, context: object) => Handler

interface Entry {
  readonly middleware: Middleware
  readonly options: {
    readonly name?: string
    readonly relation?: 'before' | 'after'
    readonly toMiddleware?: string
  }
}

const MARSHALL = 'DocumentMarshall'
const UNMARSHALL = 'DocumentUnmarshall'

/**
 * Converts a command to the low-level form, which the library uses internally, so that values keep all their digits and
 * all code exists once. A document command is translated by its own middleware, with the options of its own client.
 * `@aws-sdk/lib-dynamodb` is not imported, because it may not be installed. Its translation is not reimplemented,
 * because a copy could diverge from the original.
 */
export function toLowLevel(
  command: AnyCommand,
  client: PhysicalClient,
): LowLevelRequest | Promise<LowLevelRequest> {
  const before = entriesOf(command)
  if (isDocumentCommand(command)) return documentToLowLevel(command, before, translators(command, client))
  const own = translatorsIn(before)
  if (own !== undefined) return documentToLowLevel(command, before, own)
  return lowLevel(command.input as LowLevelRequest['input'], before, undefined)
}

async function documentToLowLevel(
  command: AnyCommand,
  before: readonly Entry[],
  { marshall, unmarshall }: Translators,
): Promise<LowLevelRequest> {
  const input = await marshalled(marshall, command.input)
  return lowLevel(input, before, (output) => unmarshalled(unmarshall, output))
}

function lowLevel(
  input: LowLevelRequest['input'],
  before: readonly Entry[],
  present: LowLevelRequest['present'],
): LowLevelRequest {
  return { input: withoutNulls(input), present, carryMiddleware: (to) => carry(before, to) }
}

async function marshalled(marshall: Middleware, input: object): Promise<Readonly<Record<string, unknown>>> {
  let result: Readonly<Record<string, unknown>> = {}
  const keep: Handler = async (request) => {
    if ('input' in request) result = request.input as typeof result
    return { output: {} }
  }
  await marshall(keep, {})({ input })
  return result
}

async function unmarshalled<Output extends object>(unmarshall: Middleware, output: Output): Promise<Output> {
  const translated = await unmarshall(async () => ({ output }), {})({})
  return translated.output as Output
}

type Translators = Record<'marshall' | 'unmarshall', Middleware>

/** A stand-in for the client's middleware stack. The command adds its middleware to it, and nothing is sent. */
function translators(command: AnyCommand, client: PhysicalClient): Translators {
  const found: Entry[] = []
  const recorder = recordingStack((entry) => found.push(entry))
  const stack = {
    concat(from: AnyCommand['middlewareStack']) {
      from.applyToStack(recorder as never)
      return stack
    },
    resolve: (handler: unknown) => handler,
  }
  command.resolveMiddleware(stack as never, client.config as never, {} as never)
  const own = translatorsIn(found)
  if (own !== undefined) return own
  throw new TypeError(
    `The document command has no ${MARSHALL} middleware; isotherm needs @aws-sdk/lib-dynamodb of its peer range.`,
  )
}

/**
 * A document client sends the low-level command inside of a document command. That has the translation in its own stack,
 * and documents as its input.
 */
function translatorsIn(entries: readonly Entry[]): Translators | undefined {
  const find = (name: string) => entries.findLast(({ options }) => options.name === name)?.middleware
  const marshall = find(MARSHALL)
  const unmarshall = find(UNMARSHALL)
  return marshall && unmarshall && { marshall, unmarshall }
}

function entriesOf(command: AnyCommand): readonly Entry[] {
  const entries: Entry[] = []
  command.middlewareStack.applyToStack(recordingStack((entry) => entries.push(entry)) as never)
  return entries
}

function recordingStack(record: (entry: Entry) => void): object {
  const add = (middleware: Middleware, options: Entry['options']) => record({ middleware, options })
  return { add, addRelativeTo: add, identifyOnResolve: () => false }
}

function carry(entries: readonly Entry[], to: AnyCommand): void {
  for (const { middleware, options } of entries) {
    if (options.name === MARSHALL || options.name === UNMARSHALL) continue
    const add = options.relation === undefined ? 'add' : 'addRelativeTo'
    const stack = to.middlewareStack as unknown as Record<
      typeof add,
      (added: Middleware, how: object) => void
    >
    stack[add](middleware, options)
  }
}
