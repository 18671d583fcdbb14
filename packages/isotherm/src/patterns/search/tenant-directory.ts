import type { ImportOptions, ImportProgress, ImportRow } from './import-items.js'
import type { DirectoryItem, FieldChanges, FieldMap, FieldValues, LinkMap } from './model/directory-item.js'
import type { Highlight } from './text/highlight.js'

/** Options of `create`. */
export interface CreateOptions {
  /** 1 to 128 bytes, without `#`. The default is a random name. */
  readonly id?: string | undefined
  /** The default is the time of the clock. */
  readonly createdAt?: Date | number | undefined
}

/** Options of `update`. */
export interface UpdateOptions {
  /** The version that was read. If the item has another one, nothing is changed, and `search.changed` is thrown. */
  readonly version?: string | undefined
}

/** Options of `list`. */
export interface ListOptions<Links> {
  /** Items on a page, 1 to 100. The default is 100. */
  readonly limit?: number | undefined
  /** Where the page begins: `cursor` of the page before. */
  readonly cursor?: string | undefined
  /** Only items that are linked to a target. */
  readonly linkedTo?: { readonly [Kind in keyof Links]?: string } | undefined
}

/** Options of `search`. */
export interface SearchPageOptions<Fields, Links> {
  /** Matches at the beginning, or anywhere. The default is `'prefix'`. */
  readonly match?: 'prefix' | 'substring' | undefined
  /** Fields and kinds of links that are searched. The default is all that are declared for this match. */
  readonly in?: readonly ((keyof Fields | keyof Links) & string)[] | undefined
  /** Matches on a page, 1 to 100. The default is 100. */
  readonly limit?: number | undefined
  /** Where the page begins: `cursor` of the page before. */
  readonly cursor?: string | undefined
}

/** A page of a tenant's items, newest first. */
export interface ListPage<Item> {
  readonly items: readonly Item[]
  /** Whether there may be further items. */
  readonly more: boolean
  /** Set if there may be. */
  readonly cursor: string | undefined
}

/** An item that was found. */
export interface Hit<Item, Fields> {
  readonly item: Item
  /** Where each field matches. */
  readonly highlights: { readonly [Name in keyof Fields]?: readonly Highlight[] }
}

/** A page of matches, newest first. It may have fewer than `limit` although `more` is true: the work for one page is bounded. */
export interface SearchPage<Item, Fields> {
  readonly hits: readonly Hit<Item, Fields>[]
  /** Whether there may be further matches. */
  readonly more: boolean
  /** Set if there may be. */
  readonly cursor: string | undefined
}

/** The directory of one tenant. No call on it reads or writes anything of another. */
export interface TenantDirectory<Fields extends FieldMap, Links extends LinkMap> {
  /**
   * Creates an item with its search items.
   *
   * @throws IsothermError `search.exists`, `options.invalid`, `pattern.value`
   */
  create(fields: FieldValues<Fields>, options?: CreateOptions): Promise<DirectoryItem<Fields, Links>>
  /** Reads an item, consistently. */
  get(id: string): Promise<DirectoryItem<Fields, Links> | undefined>
  /**
   * Changes fields of an item. Only search items that differ are written.
   *
   * @throws IsothermError `search.missing`, `search.changed`, `search.busy`, `options.invalid`, `pattern.value`
   */
  update(
    id: string,
    changes: FieldChanges<Fields>,
    options?: UpdateOptions,
  ): Promise<DirectoryItem<Fields, Links>>
  /** Deletes an item with its search items. @returns whether it was there */
  delete(id: string): Promise<boolean>
  /** Reads a page of all items, newest first. It reads this page and nothing else. @throws IsothermError `search.cursor` */
  list(options?: ListOptions<Links>): Promise<ListPage<DirectoryItem<Fields, Links>>>
  /**
   * Finds items by the beginning or by any part of their texts, newest first.
   *
   * @throws IsothermError `search.cursor`, `options.invalid`
   */
  search(
    text: string,
    options?: SearchPageOptions<Fields, Links>,
  ): Promise<SearchPage<DirectoryItem<Fields, Links>, Fields>>
  /**
   * Links an item to a target, by whose name it is then found.
   *
   * @throws IsothermError `search.missing`, `search.busy`, `options.invalid`, `pattern.value` for an item that becomes too large
   */
  link(id: string, kind: keyof Links & string, target: string): Promise<DirectoryItem<Fields, Links>>
  /** Takes a link away. @throws IsothermError `search.missing`, `search.busy` */
  unlink(id: string, kind: keyof Links & string, target: string): Promise<DirectoryItem<Fields, Links>>
  /**
   * Names a target of links, or renames it. The items that are linked to it get the new name by an operation of the queue.
   *
   * @returns whether anything was changed
   * @throws IsothermError `search.busy`, `options.invalid` without a queue
   */
  setTarget(kind: keyof Links & string, target: string, name: string): Promise<boolean>
  /** Deletes a target. An operation of the queue takes the links away. @returns whether it was there */
  deleteTarget(kind: keyof Links & string, target: string): Promise<boolean>
  /**
   * Creates or changes many items, by batches and without transactions for new ones. What is there already is left alone, so an import can be
   * repeated. A row that is not valid, or is too large for DynamoDB, stops it before the batch of this row is written. It throws after all writes
   * have ended.
   *
   * @returns what was done, and where to resume after `signal` has aborted
   * @throws IsothermError `search.unprocessed`, `search.missing`, `options.invalid`, `pattern.value`
   */
  import(
    rows: Iterable<ImportRow<Fields, Links>> | AsyncIterable<ImportRow<Fields, Links>>,
    options?: ImportOptions,
  ): Promise<ImportProgress>
  /** Lists targets in the order of their names, up to 100: all, or those that begin with a text. @throws IsothermError `options.invalid` */
  targets(
    kind: keyof Links & string,
    prefix?: string,
  ): Promise<readonly { readonly id: string; readonly name: string }[]>
}
