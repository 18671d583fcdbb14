import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { JsonItem } from '../../src/items/item'
import { deleteInput, type ItemPlace, putInput } from '../../src/items/item-change'
import { itemOfPlain, plainText } from '../../src/items/plain-item'
import { Dialog } from '../dialog/dialog'
import { call } from '../dynamodb/call'
import { CopyButton } from '../format/copy-button'
import { messageOf } from '../state/message-of'

/** How items are written, for as long as the page is open. */
const isPlain = signal(false)

interface ItemEditorProps {
  readonly place: ItemPlace
  readonly item: JsonItem | 'new'
  /** Why it cannot be changed. */
  readonly readOnly: string | undefined
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** An item as JSON, with its types or plain, to be changed or deleted. */
export function ItemEditor({ place, item, readOnly, onChanged, onClose }: ItemEditorProps) {
  const before = item === 'new' ? undefined : item
  const begun = before ?? emptyItem(place)
  const [text, setText] = useState(textOf(begun))
  const [failure, setFailure] = useState<string | undefined>()
  const [isAsking, ask] = useState(false)
  const run = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    try {
      await work()
      onChanged()
    } catch (error) {
      setFailure(explained(error, before === undefined))
    }
  }
  const save = () => run(async () => call('PutItem', putInput(place, before, itemOf(text))))
  const remove = () => run(async () => before !== undefined && call('DeleteItem', deleteInput(place, before)))
  const write = (plain: boolean) => {
    try {
      const current = itemOf(text)
      if (plain && plainText(current) === undefined) {
        throw new Error(
          'Plain JSON has no sets, no bytes, and no numbers with more than about 15 digits. Edit this item as DynamoDB JSON.',
        )
      }
      isPlain.value = plain
      setText(textOf(current))
      setFailure(undefined)
    } catch (error) {
      setFailure(messageOf(error))
    }
  }
  return (
    <Dialog name="Item" onClose={onClose}>
      <fieldset class="choice">
        <legend>Written as</legend>
        <button type="button" aria-pressed={!isPlain.value} onClick={() => write(false)}>
          DynamoDB JSON
        </button>
        <button type="button" aria-pressed={isPlain.value} onClick={() => write(true)}>
          Plain JSON
        </button>
      </fieldset>
      <textarea
        aria-label="Item"
        rows={18}
        spellcheck={false}
        value={text}
        readOnly={readOnly !== undefined}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      {readOnly !== undefined && <p class="hint">{readOnly}</p>}
      {place.isSharded && readOnly === undefined && before === undefined && (
        <p class="hint">
          The keys of this table have suffixes, and this is a physical key. The library finds an item only in
          the shard where it belongs, so write new items through the library or isotherm proxy.
        </p>
      )}
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        {readOnly === undefined && (
          <button type="button" class="primary" onClick={save}>
            Save
          </button>
        )}
        {readOnly === undefined && before !== undefined && !isAsking && (
          <button type="button" onClick={() => ask(true)}>
            Delete …
          </button>
        )}
        {isAsking && (
          <button type="button" class="danger" onClick={remove}>
            Delete this item for good
          </button>
        )}
        <CopyButton text={text} name="Copy JSON" />
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  )
}

function emptyItem({ described }: ItemPlace): JsonItem {
  return Object.fromEntries(
    described.KeySchema.map(({ AttributeName }) => {
      const found = described.AttributeDefinitions.find((each) => each.AttributeName === AttributeName)
      return [AttributeName, { [found?.AttributeType ?? 'S']: found?.AttributeType === 'N' ? '0' : '' }]
    }),
  )
}

/** Plain, if that was chosen and the item can be. */
function textOf(item: JsonItem): string {
  const plain = isPlain.peek() ? plainText(item) : undefined
  if (plain === undefined) isPlain.value = false
  return plain ?? JSON.stringify(item, undefined, 2)
}

/** @throws Error that says what is wrong with the text */
function itemOf(text: string): JsonItem {
  try {
    if (isPlain.peek()) return itemOfPlain(text)
    const item: unknown = JSON.parse(text)
    if (typeof item === 'object' && item !== null && !Array.isArray(item)) return item as JsonItem
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new Error(`This is not JSON: ${cause.message}`, { cause })
  }
  throw new Error('An item is an object, such as { "id": { "S": "a" } }.')
}

function explained(error: unknown, isNew: boolean): string {
  const isRefused = error instanceof Error && error.name === 'ConditionalCheckFailedException'
  if (!isRefused) return messageOf(error)
  return isNew
    ? `${messageOf(error)}. There is an item with this key already, and it was not replaced.`
    : `${messageOf(error)}. The item was changed or deleted meanwhile, or there is one with the new key. Close this, and open it again.`
}
