import type { Answers } from '../invariants/answers.js'
import type { World } from '../world/world.js'
import type { Client } from './workload.js'

interface AnyCommand {
  readonly constructor: { readonly name: string }
}

/** The client, for an application whose answers are counted. */
export function countedClient(world: World, db: Client, answers: Answers): Client {
  const send = async (command: AnyCommand, options?: object): Promise<unknown> => {
    const operation = command.constructor.name.slice(0, -'Command'.length)
    try {
      const output = await db.send(command as never, options as never)
      answers.answered(operation)
      return output
    } catch (error) {
      try {
        answers.failed(operation, error)
      } catch (violation) {
        world.guard(violation)
      }
      throw error
    }
  }
  return Object.create(db, { send: { value: send } }) as Client
}
