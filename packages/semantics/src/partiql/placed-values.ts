import type { AttributeValue, Item } from '../attribute-value.js'
import { Placeholders } from '../expressions/placeholders.js'

/** A statement's values as placeholders of the expression that the statement is translated into. */
export class PlacedValues {
  readonly #values: Item = {}
  #count = 0

  /** @returns the placeholder that stands for the value. */
  place(value: AttributeValue): string {
    const placeholder = `:v${this.#count++}`
    this.#values[placeholder] = value
    return placeholder
  }

  placeholders(): Placeholders {
    return new Placeholders({}, this.#values)
  }
}
