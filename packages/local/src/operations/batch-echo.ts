import { isJsonObject } from '../json/json-kind.js'

/** The service prints whole batches into its errors. Here a longer text is cut, because a batch can have 16 MB. */
const MAX_ECHO_LENGTH = 20_000

/** The members of an attribute value in the order of the service's Java class, with their names in it. */
const VALUE_MEMBERS: readonly (readonly [type: string, spelled: string])[] = [
  ['S', 's'],
  ['N', 'n'],
  ['B', 'b'],
  ['', 'iNT'],
  ['', 'dECIMAL'],
  ['', 'dOUBLE'],
  ['SS', 'sS'],
  ['NS', 'nS'],
  ['BS', 'bS'],
  ['', 'iNTSET'],
  ['', 'dECIMALSET'],
  ['', 'dOUBLESET'],
  ['M', 'm'],
  ['L', 'l'],
  ['NULL', 'nULL'],
  ['BOOL', 'bOOL'],
]

/** The RequestItems of a BatchWriteItem as the service prints them: as Java objects. */
export function writesEcho(requests: object): string {
  const tables = Object.entries(requests).map(([name, list]) => {
    const members = Array.isArray(list) ? list.map(requestEcho) : []
    return `${name}=[${members.join(', ')}]`
  })
  return cut(`{${tables.join(', ')}}`)
}

/** The RequestItems of a BatchGetItem as the service prints them: as JSON. */
export function readsEcho(requests: object): string {
  return cut(JSON.stringify(requests))
}

function cut(text: string): string {
  return text.length <= MAX_ECHO_LENGTH ? text : `${text.slice(0, MAX_ECHO_LENGTH)}...`
}

function requestEcho(request: unknown): string {
  const { PutRequest: put, DeleteRequest: del } = isJsonObject(request) ? request : {}
  const item = isJsonObject(put) ? `PutRequest(item=${itemEcho(put.Item)})` : 'null'
  const key = isJsonObject(del) ? `DeleteRequest(key=${itemEcho(del.Key)})` : 'null'
  const profile = put === undefined ? '' : 'workloadProfileName=null), '
  return put === undefined
    ? `WriteRequest(putRequest=${item}, deleteRequest=${key})`
    : `WriteRequest(putRequest=${item.slice(0, -1)}, ${profile}deleteRequest=${key})`
}

function itemEcho(item: unknown): string {
  if (!isJsonObject(item)) return 'null'
  return `{${Object.entries(item)
    .map(([name, value]) => `${name}=${valueEcho(value)}`)
    .join(', ')}}`
}

function valueEcho(value: unknown): string {
  const given = isJsonObject(value) ? value : {}
  const members = VALUE_MEMBERS.map(([type, spelled]) => `${spelled}=${memberEcho(type, given[type])}`)
  return `AttributeValue(${members.join(', ')})`
}

function memberEcho(type: string, member: unknown): string {
  if (member === undefined || member === null) return 'null'
  if (type === 'M') return itemEcho(member)
  if (type === 'L') return Array.isArray(member) ? `[${member.map(valueEcho).join(', ')}]` : 'null'
  if (type === 'B') return bytesEcho(member)
  if (!Array.isArray(member)) return String(member)
  return `[${(type === 'BS' ? member.map(bytesEcho) : member.map(String)).join(', ')}]`
}

function bytesEcho(base64: unknown): string {
  const length = Buffer.from(String(base64), 'base64').length
  return `java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]`
}
