interface NamedInput {
  readonly Item?: { readonly pk: { readonly S: string }; readonly about: { readonly S: string } }
  readonly Key?: { readonly pk: { readonly S: string } }
}

/** SET with the longest attribute of an item, and GET by its key: the least that another store could do. */
export function redisRequest(operation: string, input: NamedInput): Buffer {
  const { Item, Key } = input
  if (operation === 'PutItem' && Item !== undefined) return command(['SET', Item.pk.S, Item.about.S])
  if (operation === 'GetItem' && Key !== undefined) return command(['GET', Key.pk.S])
  throw new Error(`Redis has no ${operation}.`)
}

function command(words: readonly string[]): Buffer {
  const texts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
  return Buffer.from(`*${words.length}\r\n${texts.join('')}`)
}
