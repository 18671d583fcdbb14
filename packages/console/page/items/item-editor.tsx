import { useEffect, useRef, useState } from 'preact/hooks'
import { call, type Item, type KeyElement } from './dynamodb'

interface ItemEditorProps {
  readonly table: string
  readonly schema: readonly KeyElement[]
  readonly item: Item | 'new'
  /** Items of an index are changed in their table. */
  readonly isReadOnly: boolean
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** An item as JSON with its types, to be changed or deleted. */
export function ItemEditor({ table, schema, item, isReadOnly, onChanged, onClose }: ItemEditorProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const keys = schema.map(({ AttributeName }) => AttributeName)
  const begun = item === 'new' ? Object.fromEntries(keys.map((name) => [name, { S: '' }])) : item
  const [text, setText] = useState(JSON.stringify(begun, undefined, 2))
  const [failure, setFailure] = useState<string | undefined>()
  const [isAsking, ask] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const run = async (work: () => Promise<unknown>) => {
    try {
      await work()
      onChanged()
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error))
    }
  }
  const save = () =>
    run(async () => {
      const Item = parsed(text)
      // A new item must not replace another one, and a changed one must still be there.
      const [first = ''] = keys
      const isSameKey = item !== 'new' && keys.every((key) => same(item[key], Item[key]))
      const ConditionExpression = isSameKey ? 'attribute_exists(#k)' : 'attribute_not_exists(#k)'
      await call('PutItem', {
        TableName: table,
        Item,
        ConditionExpression,
        ExpressionAttributeNames: { '#k': first },
      })
    })
  const remove = () =>
    run(async () => {
      if (item === 'new') return
      const Key = Object.fromEntries(keys.map((name) => [name, item[name]]))
      await call('DeleteItem', { TableName: table, Key })
    })
  return (
    <dialog ref={dialog} class="editor" aria-label="Item" onClose={onClose}>
      <label>
        Item, in DynamoDB JSON
        <textarea
          rows={18}
          spellcheck={false}
          value={text}
          readOnly={isReadOnly}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {failure !== undefined && (
        <p class="failure" role="alert">
          {failure}
        </p>
      )}
      <div class="actions">
        {!isReadOnly && (
          <button type="button" class="primary" onClick={save}>
            Save
          </button>
        )}
        {!isReadOnly && item !== 'new' && !isAsking && (
          <button type="button" onClick={() => ask(true)}>
            Delete …
          </button>
        )}
        {isAsking && (
          <button type="button" class="danger" onClick={remove}>
            Delete this item for good
          </button>
        )}
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}

/** @throws Error that names what is wrong */
function parsed(text: string): Item {
  let item: unknown
  try {
    item = JSON.parse(text)
  } catch (cause) {
    throw new Error(`This is not JSON: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    throw new Error('An item is an object, such as { "id": { "S": "a" } }.')
  }
  return item as Item
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
