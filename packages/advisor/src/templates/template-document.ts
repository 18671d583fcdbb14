import { LineCounter, parseAllDocuments } from 'yaml'
import { AdvisorError } from '../errors/advisor-error.js'
import type { Plain, PlainObject } from './plain.js'
import { PlainNodes } from './plain-nodes.js'

/** The lines of a member, counted from 1. */
export interface Lines {
  readonly first: number
  readonly last: number
}

/** Larger files were written by a program. They are read as JSON, which is fast, and without lines. */
const MAX_YAML_CHARACTERS = 4 * 1024 * 1024

/** A JSON or YAML text as plain values, and the lines on which its objects stand. */
export class TemplateDocument {
  readonly value: Plain
  readonly file: string
  readonly text: string
  readonly #counter = new LineCounter()
  #nodes: PlainNodes | undefined

  /** @throws AdvisorError `template.malformed` */
  constructor(text: string, file: string) {
    this.file = file
    this.text = text.replace(/^\uFEFF/, '')
    this.value = this.text.length > MAX_YAML_CHARACTERS ? this.#parseJson() : this.#parseYaml()
  }

  /** Where an object of the document stands. Large files have no lines. */
  linesOf(value: PlainObject): Lines | undefined {
    const range = this.#nodes?.rangeOf(value)
    if (range === undefined) return undefined
    const [from, to] = range
    return {
      first: this.#counter.linePos(from).line,
      last: this.#counter.linePos(Math.max(from, to - 1)).line,
    }
  }

  /** JSON is YAML, too. */
  #parseYaml(): Plain {
    const documents = parseAllDocuments(this.text, {
      lineCounter: this.#counter,
      uniqueKeys: false,
      logLevel: 'silent',
    })
    const nodes = new PlainNodes((rule) => this.#malformed(rule))
    this.#nodes = nodes
    const values: Plain[] = []
    for (const document of Array.isArray(documents) ? documents : []) {
      const [error] = document.errors
      if (error !== undefined) throw this.#malformed(error.message.split('\n')[0] ?? error.code, error)
      if (document.contents !== null) values.push(nodes.plain(document.contents))
    }
    return values.length === 1 ? (values[0] ?? null) : values
  }

  #parseJson(): Plain {
    try {
      return JSON.parse(this.text) as Plain
    } catch (cause) {
      throw this.#malformed(cause instanceof Error ? cause.message : String(cause), cause)
    }
  }

  #malformed(rule: string, cause?: unknown): AdvisorError {
    const reason = rule.replace(/[.:]+$/, '')
    return new AdvisorError('template.malformed', `${this.file} is neither JSON nor YAML: ${reason}.`, {
      cause,
    })
  }
}
