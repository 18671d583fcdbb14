import type { Sender } from './sending/pattern-client.js'

/** Members that all commands have. */
interface StockCommand {
  readonly input: object
  readonly middlewareStack: object
}

/** Sends a command. The output is that of the command, which the caller names. */
export function send<Output>(db: Sender, command: StockCommand, abortSignal?: AbortSignal): Promise<Output> {
  const options = abortSignal === undefined ? [] : [{ abortSignal } as never]
  return db.send(command as never, ...options) as Promise<Output>
}
