import { isJsonObject } from '../json/json-kind.js'

/** The service prints whole batches into its errors. Here a longer text is cut, because a batch can have 16 MB. */
const MAX_ECHO_LENGTH = 20_000

/**
 * A batch with more tables is refused before they are looked at, because a request of 16 MB can name 100,000. The limits of
 * batches are 25 writes and 100 keys, so smaller ones are also refused, but after their other mistakes.
 */
export const MOST_TABLES_OF_A_BATCH = 1000

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

/** The parts of a text. They are made one by one, so that those behind the cut never are. */
type Parts = Iterable<string>

/** The RequestItems of a BatchWriteItem as the service prints them: as Java objects. */
export function writesEcho(requests: object): string {
  return cut(
    mapEcho(requests as { [table: string]: unknown }, (list) =>
      listEcho(Array.isArray(list) ? list : [], requestEcho),
    ),
  )
}

/** The RequestItems of a BatchGetItem as the service prints them: as JSON. */
export function readsEcho(requests: object): string {
  return cut(jsonEcho(requests))
}

function* jsonEcho(value: unknown): Parts {
  if (Array.isArray(value)) yield* listEcho(value, jsonEcho, ',')
  else if (isJsonObject(value)) yield* mapEcho(value, jsonEcho, (name) => `${JSON.stringify(name)}:`, ',')
  else yield JSON.stringify(value) ?? 'null'
}

function cut(parts: Parts): string {
  let text = ''
  for (const part of parts) {
    text += part
    if (text.length > MAX_ECHO_LENGTH) return `${text.slice(0, MAX_ECHO_LENGTH)}...`
  }
  return text
}

function* requestEcho(request: unknown): Parts {
  const { PutRequest: put, DeleteRequest: del } = isJsonObject(request) ? request : {}
  yield 'WriteRequest(putRequest='
  if (isJsonObject(put)) {
    yield 'PutRequest(item='
    yield* itemEcho(put.Item)
    yield ', workloadProfileName=null)'
  } else yield 'null'
  yield ', deleteRequest='
  if (isJsonObject(del)) {
    yield 'DeleteRequest(key='
    yield* itemEcho(del.Key)
    yield ')'
  } else yield 'null'
  yield ')'
}

function* itemEcho(item: unknown): Parts {
  if (isJsonObject(item)) yield* mapEcho(item, valueEcho)
  else yield 'null'
}

function* valueEcho(value: unknown): Parts {
  const given = isJsonObject(value) ? value : {}
  yield 'AttributeValue('
  for (const [index, [type, spelled]] of VALUE_MEMBERS.entries()) {
    yield `${index === 0 ? '' : ', '}${spelled}=`
    yield* memberEcho(type, given[type])
  }
  yield ')'
}

function* memberEcho(type: string, member: unknown): Parts {
  if (member === undefined || member === null) yield 'null'
  else if (type === 'M') yield* itemEcho(member)
  else if (type === 'L') yield* Array.isArray(member) ? listEcho(member, valueEcho) : ['null']
  else if (type === 'B') yield bytesEcho(member)
  else if (!Array.isArray(member)) yield String(member)
  else yield* listEcho(member, (each) => [type === 'BS' ? bytesEcho(each) : String(each)])
}

function* listEcho(list: readonly unknown[], echo: (member: unknown) => Parts, separator = ', '): Parts {
  yield '['
  for (const [index, member] of list.entries()) {
    if (index > 0) yield separator
    yield* echo(member)
  }
  yield ']'
}

function* mapEcho(
  map: { readonly [name: string]: unknown },
  echo: (member: unknown) => Parts,
  nameEcho = (name: string) => `${name}=`,
  separator = ', ',
): Parts {
  yield '{'
  let isFirst = true
  for (const name in map) {
    yield (isFirst ? '' : separator) + nameEcho(name)
    yield* echo(map[name])
    isFirst = false
  }
  yield '}'
}

function bytesEcho(base64: unknown): string {
  const length = Buffer.from(String(base64), 'base64').length
  return `java.nio.HeapByteBuffer[pos=0 lim=${length} cap=${length}]`
}
