import { isPlainObject, listIn, objectIn, type Plain, type PlainObject, textIn } from './plain.js'

/** What a template computes only when it is deployed. */
const UNKNOWN = Symbol('unknown')
/** What `AWS::NoValue` removes. */
const REMOVED = Symbol('removed')
type Missing = typeof UNKNOWN | typeof REMOVED
type Resolved = Plain | Missing

/** Pseudo parameters with a value that is good enough to read a template. */
const NO_VALUE = 'AWS::NoValue'
/** Functions in functions; more is a cycle. */
const MAX_DEPTH = 50

/**
 * The values of a CloudFormation template, as far as they follow from the template alone: parameters have their
 * defaults, conditions and mappings are evaluated. A value that is only known at deployment becomes text such as
 * `${Stage}` in a string, and is left out elsewhere.
 */
export class Intrinsics {
  readonly #parameters: PlainObject
  readonly #mappings: PlainObject
  readonly #conditions: PlainObject
  /** How many members and elements were left out because they are unknown. */
  #leftOut = 0

  constructor(template: PlainObject) {
    this.#parameters = objectIn(template.Parameters)
    this.#mappings = objectIn(template.Mappings)
    this.#conditions = objectIn(template.Conditions)
  }

  /** A value with its functions evaluated. Members that are unknown or `AWS::NoValue` are left out. */
  resolve(value: Plain, depth = 0): Plain | undefined {
    const resolved = this.#resolve(value, depth)
    return isMissing(resolved) ? undefined : resolved
  }

  /** Whether a value follows from the template as a whole, so that `resolve` leaves out nothing unknown. */
  isKnown(value: Plain): boolean {
    const before = this.#leftOut
    return this.#resolve(value, 0) !== UNKNOWN && this.#leftOut === before
  }

  #resolve(value: Plain, depth: number): Resolved {
    if (depth > MAX_DEPTH) return UNKNOWN
    if (Array.isArray(value)) {
      return value.flatMap((each) => {
        const resolved = this.#resolve(each, depth + 1)
        return this.#isLeftOut(resolved) ? [] : [resolved]
      })
    }
    if (!isPlainObject(value)) return value
    const [[name, argument] = ['', null], ...more] = Object.entries(value)
    if (more.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) {
      return this.#call(name, argument, depth + 1)
    }
    const object: PlainObject = {}
    for (const [member, given] of Object.entries(value)) {
      const resolved = this.#resolve(given, depth + 1)
      if (!this.#isLeftOut(resolved)) object[member] = resolved
    }
    return object
  }

  #isLeftOut(value: Resolved): value is Missing {
    if (value === UNKNOWN) this.#leftOut++
    return isMissing(value)
  }

  #call(name: string, argument: Plain, depth: number): Resolved {
    switch (name) {
      case 'Ref':
        return this.#reference(textIn(argument) ?? '')
      case 'Fn::Sub':
        return this.#substitute(argument, depth)
      case 'Fn::Join':
        return this.#join(argument, depth)
      case 'Fn::If':
        return this.#choose(argument, depth)
      case 'Fn::FindInMap':
        return this.#find(argument, depth)
      case 'Fn::Select': {
        const [index, list] = listIn(argument).map((each) => this.#resolve(each, depth))
        return (Array.isArray(list) ? list[Number(index)] : undefined) ?? UNKNOWN
      }
      case 'Fn::Split': {
        const [separator, text] = listIn(argument).map((each) => this.#resolve(each, depth))
        return typeof text === 'string' && typeof separator === 'string' ? text.split(separator) : UNKNOWN
      }
      default:
        return UNKNOWN
    }
  }

  #reference(name: string): Resolved {
    const parameter = objectIn(this.#parameters[name])
    if (name === NO_VALUE) return REMOVED
    // The default of such a parameter is the name under which its value is stored.
    const isStored = textIn(parameter.Type)?.startsWith('AWS::SSM::Parameter::Value<') === true
    const value = isStored ? undefined : parameter.Default
    if (value === undefined) return name in this.#parameters ? `\${${name}}` : UNKNOWN
    const isList = textIn(parameter.Type)?.startsWith('List<') || parameter.Type === 'CommaDelimitedList'
    return isList && typeof value === 'string' ? value.split(',').map((each) => each.trim()) : value
  }

  /** Text with the names that have no value as they stand in the template. */
  #substitute(argument: Plain, depth: number): Resolved {
    const [template, variables] = Array.isArray(argument) ? argument : [argument, {}]
    const own = objectIn(variables)
    return (textIn(template) ?? '').replace(/\$\{([^!}][^}]*)\}/g, (whole, name: string) => {
      const given = own[name.trim()]
      const value = given === undefined ? this.#reference(name.trim()) : this.#resolve(given, depth)
      return isMissing(value) ? whole : (textIn(value) ?? whole)
    })
  }

  #join(argument: Plain, depth: number): Resolved {
    const [separator, given = []] = listIn(argument)
    const parts = listIn(given).map((part) => {
      const value = this.#resolve(part, depth)
      return (isMissing(value) ? undefined : textIn(value)) ?? nameOf(part)
    })
    return parts.join(textIn(separator) ?? '')
  }

  /** An unknown condition takes the branch that has a value, which shows more of the table. */
  #choose(argument: Plain, depth: number): Resolved {
    const [condition, whenTrue = null, whenFalse = null] = listIn(argument)
    const holds = this.#holds({ Condition: condition ?? null }, depth)
    const [first, second] = holds === false ? [whenFalse, whenTrue] : [whenTrue, whenFalse]
    const isNothing = objectIn(first).Ref === NO_VALUE
    if (isNothing && holds !== undefined) return REMOVED
    return this.#resolve(isNothing ? second : first, depth)
  }

  #find(argument: Plain, depth: number): Resolved {
    let found: Plain | undefined = this.#mappings
    for (const given of listIn(argument).slice(0, 3)) {
      const name = this.#resolve(given, depth)
      found = isMissing(name) ? undefined : objectIn(found)[textIn(name) ?? '']
    }
    return found === undefined ? UNKNOWN : this.#resolve(found, depth)
  }

  /** @returns `undefined` if it depends on the deployment */
  #holds(condition: Plain, depth: number): boolean | undefined {
    if (depth > MAX_DEPTH) return undefined
    if (!isPlainObject(condition)) return typeof condition === 'boolean' ? condition : undefined
    const [[name, argument] = ['', null]] = Object.entries(condition)
    const parts = () => listIn(argument).map((part) => this.#holds(part, depth + 1))
    switch (name) {
      case 'Condition': {
        const known = this.#conditions[textIn(argument) ?? '']
        return known === undefined ? undefined : this.#holds(known, depth + 1)
      }
      case 'Fn::Equals': {
        const [left, right] = listIn(argument).map((each) => this.#resolve(each, depth + 1))
        if (left === undefined || right === undefined || isOpen(left) || isOpen(right)) return undefined
        return comparable(left) === comparable(right)
      }
      case 'Fn::Not': {
        const [part] = parts()
        return part === undefined ? undefined : !part
      }
      case 'Fn::And':
        return parts().includes(false) ? false : parts().includes(undefined) ? undefined : true
      case 'Fn::Or':
        return parts().includes(true) ? true : parts().includes(undefined) ? undefined : false
      default:
        return undefined
    }
  }
}

function isMissing(value: Resolved): value is Missing {
  return value === UNKNOWN || value === REMOVED
}

/** All values of CloudFormation are text: `true` equals `"true"`. */
function comparable(value: Resolved): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Whether a value depends on the deployment, in part or as a whole. */
function isOpen(value: Resolved): boolean {
  return isMissing(value) || (typeof value === 'string' && value.includes('${'))
}

/** How an unknown part of a joined text is shown. */
function nameOf(part: Plain): string {
  const [name] = Object.values(objectIn(part))
  const shown = Array.isArray(name) ? name.map((each) => textIn(each) ?? '').join('.') : textIn(name)
  return `\${${shown ?? '...'}}`
}
