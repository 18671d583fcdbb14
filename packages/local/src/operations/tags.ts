import { resourceNotFound, ServiceError, validationException } from '../errors/service-error.js'
import { afterwards } from '../storage/afterwards.js'
import type { Table } from '../table/table.js'
import { ACCOUNT } from '../table/table-arn.js'
import { checkedToken, textOfToken } from '../validation/checked-token.js'
import { resourceTable } from '../validation/resource-arn.js'
import { checkTagKeys, TAGS, type TagInput, withTags } from '../validation/tags-input.js'
import { EMPTY_RESPONSE } from './empty-response.js'
import { defineOperation, type OperationContext } from './operation.js'

const RESOURCE_ARN = { type: 'string', length: { min: 1, max: 1283 }, required: true } as const

/** The number of tags in one page. */
const TAGS_OF_A_PAGE = 10

export const tagResource = defineOperation<{
  readonly ResourceArn: string
  readonly Tags: readonly TagInput[]
}>(
  { type: 'structure', members: { ResourceArn: RESOURCE_ARN, Tags: { ...TAGS, required: true } } },
  (input, context) => {
    const table = taggedTable(context, input.ResourceArn)
    if (input.Tags.length === 0) throw atLeastOne('Tag')
    table.retag(withTags(table.state.tags, input.Tags))
    return afterwards(context.catalog.save(table), () => EMPTY_RESPONSE)
  },
)

export const untagResource = defineOperation<{
  readonly ResourceArn: string
  readonly TagKeys: readonly string[]
}>(
  {
    type: 'structure',
    members: { ResourceArn: RESOURCE_ARN, TagKeys: { type: 'list', of: { type: 'string' }, required: true } },
  },
  (input, context) => {
    const table = taggedTable(context, input.ResourceArn)
    if (input.TagKeys.length === 0) throw atLeastOne('Tag Key')
    checkTagKeys(input.TagKeys)
    const kept = new Map(Object.entries(table.state.tags))
    for (const key of input.TagKeys) kept.delete(key)
    table.retag(Object.fromEntries(kept))
    return afterwards(context.catalog.save(table), () => EMPTY_RESPONSE)
  },
)

export const listTagsOfResource = defineOperation<{
  readonly ResourceArn: string
  readonly NextToken?: string
}>(
  { type: 'structure', members: { ResourceArn: RESOURCE_ARN, NextToken: { type: 'string' } } },
  (input, context) => {
    const { tags } = taggedTable(context, input.ResourceArn).state
    const keys = Object.keys(tags).sort()
    const from = input.NextToken === undefined ? 0 : positionAfter(textOfToken(input.NextToken), keys)
    const page = keys.slice(from, from + TAGS_OF_A_PAGE)
    const last = page.at(-1)
    return {
      Tags: page.map((key) => ({ Key: key, Value: tags[key] })),
      ...(from + TAGS_OF_A_PAGE < keys.length && last !== undefined ? { NextToken: checkedToken(last) } : {}),
    }
  },
)

/** The position after a key, whether or not the key still exists. */
function positionAfter(last: string, keys: readonly string[]): number {
  return keys.filter((key) => key <= last).length
}

function taggedTable({ catalog, region }: OperationContext, arn: string): Table {
  const parts = resourceTable(arn)
  if (parts !== undefined && parts.account !== ACCOUNT) throw accessDenied(arn)
  if (parts?.region !== region) {
    throw validationException(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`)
  }
  const table = catalog.get(region, parts.name)
  if (table !== undefined && table.arn === arn) return table
  throw resourceNotFound(`ResourceArn: ${arn} not found`)
}

/** The text of the service for the tags of another account's table is not known. */
function accessDenied(arn: string): ServiceError {
  return new ServiceError(
    'AccessDeniedException',
    `The caller is not authorized to access the resource ${arn}`,
  )
}

function atLeastOne(what: string): ServiceError {
  return validationException(`Atleast one ${what} needs to be provided as Input.`)
}
