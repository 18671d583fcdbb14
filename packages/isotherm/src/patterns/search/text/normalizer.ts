/**
 * Brings a text into the form in which it is compared. It is applied to values and to queries. It must return the same text for the same
 * input for as long as items exist, and leave its own results unchanged.
 */
export type Normalizer = (text: string) => string
