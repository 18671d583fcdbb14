import { requestToken } from '../../attempts/request-token.js'
import { IsothermError } from '../../errors/isotherm-error.js'
import { invalidOption, refuseUnknown, requireObject } from '../../options/check.js'
import { importItems } from './import-items.js'
import { missingTarget } from './missing-target.js'
import { type BaseItem, linkTo, type StoredLinks } from './model/base-item.js'
import type { FieldMap, LinkMap } from './model/directory-item.js'
import type { DirectoryTarget } from './model/directory-target.js'
import { requireName } from './model/keys.js'
import { plainItem } from './model/stored-base.js'
import { fitsTargetName, MAX_TARGET_NAME_BYTES } from './model/target-item.js'
import { listPage, searchForPage, targetNames } from './pages.js'
import { parseCreatedAt, parseFields } from './parse-item.js'
import type { SpreadWork } from './spread-work.js'
import type { TenantDirectory } from './tenant-directory.js'
import { changeItem } from './writing/change-item.js'
import { changeTarget, readTarget, targetCheck } from './writing/change-target.js'
import { readBase } from './writing/read-base.js'
import { withLink, withoutLink } from './writing/spread-target.js'

/** Links of one item. */
const MAX_LINKS = 50

/** The directory of one tenant. */
export function openTenant<Fields extends FieldMap, Links extends LinkMap>(
  target: DirectoryTarget,
  tenant: string,
  work: SpreadWork,
): TenantDirectory<Fields, Links> {
  const { definition, patience } = target
  // The definition's types are those of its items: `parseFields` has checked each value.
  const typed = (item: BaseItem) => plainItem(definition, item) as never
  const named = (id: unknown) => requireName('directory: the id', id)
  const linkKind = (kind: unknown) => requireKind(target, kind)

  /** Changes an item that is there. */
  const change = async (
    id: string,
    decide: (item: BaseItem) => Promise<Parts | undefined> | Parts | undefined,
  ) => {
    const changed = await changeItem(target, tenant, id, async (item) => {
      if (item === undefined) throw missing(target, tenant, id)
      const wanted = await decide(item)
      if (wanted === undefined) return undefined
      const { fields = item.fields, links = item.links, checks = [] } = wanted
      return { after: { createdAt: item.createdAt, fields, links }, checks }
    })
    if (changed === undefined) throw missing(target, tenant, id)
    return typed(changed)
  }

  return {
    create: async (given, options = {}) => {
      const fields = parseFields(definition, 'directory.create', given)
      requireObject('directory.create', options, 'an object of options, such as { id }')
      refuseUnknown('directory.create', options, ['id', 'createdAt'])
      const id = options.id === undefined ? requestToken(patience.random).slice(0, 20) : named(options.id)
      const at = options.createdAt ?? Math.floor(patience.clock.now())
      const createdAt = parseCreatedAt('directory.create.createdAt', at)
      const created = await changeItem(target, tenant, id, (item) => {
        if (item !== undefined) throw exists(target, tenant, id)
        return { after: { createdAt, fields, links: {} } }
      })
      return typed(created as BaseItem)
    },
    get: async (id) => {
      const item = await readBase(target, tenant, named(id))
      return item === undefined || item.importing !== undefined ? undefined : typed(item)
    },
    update: async (id, changes, options = {}) => {
      refuseUnknown('directory.update', options, ['version'])
      // Before anything is read: with all required fields as they may be.
      parseFields(definition, 'directory.update', changes, requiredFields(target))
      return change(named(id), ({ fields, version }) => {
        if (options.version !== undefined && options.version !== version)
          throw changedMeanwhile(target, tenant, id)
        return { fields: parseFields(definition, 'directory.update', changes, fields) }
      })
    },
    delete: async (id) => {
      let wasThere = false
      await changeItem(target, tenant, named(id), (item) => {
        if (item === undefined) return undefined
        wasThere = true
        return { after: undefined }
      })
      return wasThere
    },
    list: (options = {}) => listPage(target, tenant, options, typed),
    search: (text, options = {}) => searchForPage(target, tenant, text, options, typed),
    link: async (id, kind, to) => {
      const of = { tenant, kind: linkKind(kind), id: requireName('directory.link', to) }
      return change(named(id), async ({ links }) => {
        const found = await readTarget(target, of)
        if (found === undefined || found.isGone) throw missingTarget(target.definition.table, of)
        const { name, version } = found
        const before = linkTo(links, kind, to)
        if (before?.version === version) return undefined
        const count = Object.values(links).reduce((sum, targets) => sum + Object.keys(targets).length, 0)
        if (before === undefined && count >= MAX_LINKS)
          throw invalidOption('directory.link', to, `one of ${MAX_LINKS} links of ${id} at most`)
        return { links: withLink(links, kind, to, { name, version }), checks: [targetCheck(target, found)] }
      })
    },
    unlink: async (id, kind, from) =>
      change(named(id), ({ links }) =>
        linkTo(links, linkKind(kind), from) === undefined
          ? undefined
          : { links: withoutLink(links, kind, from) },
      ),
    setTarget: async (kind, id, name) => {
      const of = { tenant, kind: linkKind(kind), id: requireName('directory.setTarget', id) }
      if (!fitsTargetName(name))
        throw invalidOption('directory.setTarget', name, `a name of 1 to ${MAX_TARGET_NAME_BYTES} bytes`)
      return changeTarget(target, of, name, () => work(of))
    },
    deleteTarget: async (kind, id) => {
      const of = { tenant, kind: linkKind(kind), id: requireName('directory.deleteTarget', id) }
      return changeTarget(target, of, undefined, () => work(of))
    },
    import: (rows, options = {}) => importItems(target, tenant, rows, options),
    targets: async (kind, prefix = '') => targetNames(target, tenant, linkKind(kind), prefix),
  }
}

interface Parts {
  readonly fields?: BaseItem['fields']
  readonly links?: StoredLinks
  readonly checks?: readonly ReturnType<typeof targetCheck>[]
}

/** Something for each required field, so that changes can be checked alone. */
function requiredFields({ definition }: DirectoryTarget): BaseItem['fields'] {
  const required = definition.fields.filter(({ isRequired }) => isRequired)
  return Object.fromEntries(required.map(({ name }) => [name, { S: 'x' }]))
}

function requireKind({ definition }: DirectoryTarget, kind: unknown): string {
  const kinds = definition.links.map(({ name }) => name)
  if (typeof kind === 'string' && kinds.includes(kind)) return kind
  throw invalidOption(
    'directory: the kind of link',
    kind,
    `one of ${kinds.join(', ') || 'those declared in `links`, of which there is none'}`,
  )
}

function missing({ definition: { table } }: DirectoryTarget, tenant: string, id: string) {
  return new IsothermError(
    'search.missing',
    `${tenant} has no item ${id} in ${table}. It was never created, or was deleted. Create it, or correct the id.`,
    { table, tenant, id },
  )
}

function exists({ definition: { table } }: DirectoryTarget, tenant: string, id: string) {
  return new IsothermError(
    'search.exists',
    `${tenant} has an item ${id} in ${table} already. Call update() to change it, or leave out the id.`,
    { table, tenant, id },
  )
}

function changedMeanwhile({ definition: { table } }: DirectoryTarget, tenant: string, id: string) {
  return new IsothermError(
    'search.changed',
    `The item ${id} of ${tenant} in ${table} has another version than the one given: something has changed it since it was read. Read it again, and decide again.`,
    { table, tenant, id },
  )
}
