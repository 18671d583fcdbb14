import type { AnyCommand, PhysicalClient, SendOptions } from './physical-client.js'

/**
 * A client that sends the requests for some tables through clients of their own, and all others through the given one.
 * The library's requests for a shard map name that table alone.
 */
export function clientByTable(
  client: PhysicalClient,
  own: ReadonlyMap<string, PhysicalClient>,
): PhysicalClient {
  if (own.size === 0) return client
  const send = (command: AnyCommand, options?: SendOptions) => {
    const { TableName } = command.input as { readonly TableName?: string }
    const chosen = TableName === undefined ? undefined : own.get(TableName)
    return (chosen ?? client).send(command as never, options)
  }
  return Object.create(client, { send: { value: send } })
}
