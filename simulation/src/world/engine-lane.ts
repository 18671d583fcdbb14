import { createLocal, type Local, type LocalOptions } from '@isotherm/local'

/** An answer as the middleware of a client hands it on. */
export interface Answer {
  readonly output: Record<string, unknown>
}

/** Does one operation of the service, at once, and answers or refuses as the SDK would show it. */
export type Execute = (operation: string, input: object) => Promise<Answer>

/** A local engine without its client: a hundred worlds have thousands of clients, and the SDK's are large. */
export interface EngineLane {
  readonly local: Local
  readonly execute: Execute
}

type Handler = (args: { readonly input: object }) => Promise<Answer>

const LANE = 'deserializerMiddleware'

/**
 * An engine, and the shortest way to it: the one middleware of its in-process client that hands the input to the engine
 * and takes the answer, without the twenty around it.
 */
export function engineLane(options: LocalOptions): EngineLane {
  const local = createLocal(options)
  const { middlewareStack } = local.client()
  for (const line of middlewareStack.identify()) {
    const name = line.split(/[:\s]/)[0] ?? ''
    if (name !== LANE) middlewareStack.remove(name)
  }
  const handlers = new Map<string, Handler>()
  const handlerOf = (operation: string): Handler => {
    const known = handlers.get(operation)
    if (known !== undefined) return known
    const unreachable = () => Promise.reject(new Error('The lane to the engine is not in the stack.'))
    const made = middlewareStack.resolve(
      unreachable as never,
      {
        commandName: `${operation}Command`,
      } as never,
    ) as unknown as Handler
    handlers.set(operation, made)
    return made
  }
  return { local, execute: (operation, input) => handlerOf(operation)({ input }) }
}
