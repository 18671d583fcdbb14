import { invalidOption, refuseUnknown, requireObject, requireText } from '../../../options/check.js'
import type { Normalizer } from '../text/normalizer.js'
import { plainText } from '../text/plain-text.js'
import { type AttributeNames, IMPORTING, parseAttributeNames } from './attribute-names.js'
import type { FieldMap, LinkMap } from './directory-item.js'
import type { SearchKind, SearchOptions } from './field-options.js'

/** The declaration of a directory. */
export interface DirectoryOptions<
  Fields extends FieldMap,
  Links extends Readonly<Record<string, SearchOptions>>,
> {
  /** The name of the table. */
  readonly table: string
  /** The fields of an item, by name. */
  readonly fields: Fields
  /** Kinds of things that items are linked to, such as categories, and how their names are searched. */
  readonly links?: Links | undefined
  /** The name of the index. The default is `'search'`. */
  readonly index?: string | undefined
  /** Names of the table's attributes. The defaults are `ID`, `DataType`, `SearchType`, `SearchValue`, `CreatedAt`, `Version` and `Links`. */
  readonly names?: Partial<AttributeNames> | undefined
  /**
   * When search items are written. `transaction`: in the transaction of the change. `stream`: by `onStreamRecord`, a moment later; a change
   * then costs its writer one write. The default is `'transaction'`.
   */
  readonly mode?: 'transaction' | 'stream' | undefined
}

/** A field or a kind of links, with all defaults. */
export interface SearchedField {
  readonly name: string
  readonly search: SearchKind
  readonly normalize: Normalizer
  readonly words: boolean
  readonly isRequired: boolean
  /** Whether its values are text. */
  readonly isText: boolean
}

/** A checked declaration, which `directory` takes. The type parameters carry the types of its items. */
export interface DirectoryDefinition<Fields extends FieldMap = FieldMap, Links extends LinkMap = LinkMap> {
  readonly table: string
  readonly index: string
  readonly names: AttributeNames
  readonly mode: 'transaction' | 'stream'
  readonly fields: readonly SearchedField[]
  readonly links: readonly SearchedField[]
  readonly declared?: { readonly fields: Fields; readonly links: Links }
}

/** Names that items have besides their fields, and one whose assignment would set a prototype. */
const OWN_NAMES = ['id', 'createdAt', 'version', 'links', '__proto__']
const MAX_FIELDS = 50

/**
 * Declares a directory: its table, its fields, and how each of them is searched. The types of items follow from it.
 *
 * @throws IsothermError `options.invalid` or `options.unknown`
 * @example
 * const definition = defineDirectory({
 *   table: 'contacts',
 *   fields: {
 *     name: { required: true, search: 'substring' },
 *     company: { search: 'substring', normalize: companyName },
 *     phone: { normalize: phoneNumber({ country: '81' }) },
 *   },
 *   links: { category: {} },
 * })
 */
export function defineDirectory<
  const Fields extends FieldMap,
  const Links extends Readonly<Record<string, SearchOptions>> = Record<never, SearchOptions>,
>(options: DirectoryOptions<Fields, Links>): DirectoryDefinition<Fields, Links> {
  requireObject('directory', options, 'an object of options, such as { table, fields }')
  refuseUnknown('directory', options, ['table', 'fields', 'links', 'index', 'names', 'mode'])
  const names = parseAttributeNames(options.names ?? {})
  const { mode = 'transaction' } = options
  if (mode !== 'transaction' && mode !== 'stream')
    throw invalidOption('directory.mode', mode, "'transaction' or 'stream'")
  const fields = parseFields('fields', options.fields, [...Object.values(names), IMPORTING])
  if (fields.length === 0 || fields.length > MAX_FIELDS)
    throw invalidOption('directory.fields', options.fields, `an object with 1 to ${MAX_FIELDS} fields`)
  const links = parseFields(
    'links',
    options.links ?? {},
    fields.map(({ name }) => name),
  )
  return {
    table: requireText('directory.table', options.table, 'the name of a table'),
    index: requireText('directory.index', options.index ?? 'search', 'the name of an index'),
    names,
    mode,
    fields,
    links,
  }
}

function parseFields(place: 'fields' | 'links', given: unknown, taken: readonly string[]): SearchedField[] {
  const all = requireObject(`directory.${place}`, given, 'an object, by name')
  return Object.entries(all).map(([name, options]: [string, unknown]) => {
    const path = `directory.${place}.${name}`
    const checked: Readonly<Record<string, unknown>> = {
      ...requireObject(path, options, 'an object of options'),
    }
    const known = ['search', 'normalize', 'words']
    refuseUnknown(path, checked, place === 'fields' ? [...known, 'required', 'stored'] : known)
    if (!/^[A-Za-z_][\w-]{0,63}$/.test(name) || [...OWN_NAMES, ...taken].includes(name))
      throw invalidOption(
        `directory.${place}`,
        name,
        `another name: letters, digits, _ and -, and none of ${[...OWN_NAMES, ...taken].join(', ')}`,
      )
    const {
      search = 'prefix',
      normalize = plainText,
      words = false,
      required = false,
      stored = false,
    } = checked
    if (search !== 'none' && search !== 'prefix' && search !== 'substring')
      throw invalidOption(`${path}.search`, search, "'none', 'prefix' or 'substring'")
    requireNormalizer(`${path}.normalize`, normalize)
    for (const [option, value] of Object.entries({ words, required }))
      if (typeof value !== 'boolean') throw invalidOption(`${path}.${option}`, value, 'true or false')
    return {
      name,
      search,
      normalize,
      words: words === true,
      isRequired: required === true,
      isText: stored !== true,
    }
  })
}

/** @throws IsothermError `options.invalid` */
function requireNormalizer(option: string, normalize: unknown): asserts normalize is Normalizer {
  if (typeof normalize === 'function' && returnsText(normalize as Normalizer)) return
  throw invalidOption(
    option,
    normalize,
    "a function from text to text, such as phoneNumber({ country: '81' }), which is a call, and not phoneNumber",
  )
}

/** A function that makes normalizers returns one, or throws because a text is no option. */
function returnsText(normalize: Normalizer): boolean {
  try {
    return typeof normalize('a') === 'string'
  } catch {
    return false
  }
}
