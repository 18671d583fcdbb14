import type { Intrinsics } from './intrinsics.js'
import { isPlainObject, type Plain, type PlainObject, textIn } from './plain.js'

/** A resource of a template, with the object that stands in the document. */
export interface NamedResource {
  readonly name: string
  readonly value: PlainObject
  /** The same as `value`, unless a loop made copies of it. */
  readonly written: PlainObject
}

const LOOP = 'Fn::ForEach::'
/** Loops in loops multiply. CloudFormation itself takes 500 resources. */
const MAX_RESOURCES = 5_000

type Bindings = ReadonlyMap<string, string>

/**
 * The resources of a template, with the loops of `AWS::LanguageExtensions` unrolled. A loop over a list that is only
 * known at deployment is taken once, with its variable as it is written.
 *
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference-foreach.html
 */
export function resourcesIn(resources: PlainObject, intrinsics: Intrinsics): readonly NamedResource[] {
  const found: NamedResource[] = []
  for (const resource of unrolled(resources, new Map(), intrinsics)) {
    found.push(resource)
    if (found.length >= MAX_RESOURCES) break
  }
  return found
}

function* unrolled(
  members: PlainObject,
  bindings: Bindings,
  intrinsics: Intrinsics,
): Generator<NamedResource> {
  for (const [name, written] of Object.entries(members)) {
    if (name.startsWith(LOOP) && Array.isArray(written)) {
      const [variable, list = null, body] = written
      const identifier = textIn(variable)
      if (identifier === undefined || !isPlainObject(body)) continue
      for (const value of valuesOf(list, identifier, bindings, intrinsics)) {
        yield* unrolled(body, new Map([...bindings, [identifier, value]]), intrinsics)
      }
    } else if (isPlainObject(written)) {
      const value = bindings.size === 0 ? written : bound(written, bindings)
      if (isPlainObject(value)) yield { name: textWith(name, bindings), value, written }
    }
  }
}

function valuesOf(
  list: Plain,
  identifier: string,
  bindings: Bindings,
  intrinsics: Intrinsics,
): readonly string[] {
  const values = intrinsics.resolve(bound(list, bindings))
  const known = Array.isArray(values) ? values.flatMap((value) => textIn(value) ?? []) : []
  return known.length === 0 ? [`\${${identifier}}`] : known
}

function bound(value: Plain, bindings: Bindings): Plain {
  if (typeof value === 'string') return textWith(value, bindings)
  if (Array.isArray(value)) return value.map((each) => bound(each, bindings))
  if (!isPlainObject(value)) return value
  const reference = bindings.get(textIn(value.Ref) ?? '')
  if (reference !== undefined && Object.keys(value).length === 1) return reference
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [textWith(name, bindings), bound(member, bindings)]),
  )
}

/** `&{Name}` is the form for names that must have letters and digits only. */
function textWith(text: string, bindings: Bindings): string {
  return text.replace(/[$&]\{([^}]+)\}/g, (whole, name: string) => bindings.get(name.trim()) ?? whole)
}
