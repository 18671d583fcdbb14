/** An input and what the library makes of it. */
export type FormatVector = Readonly<Record<string, unknown>>

/** The vectors of one function of the format. */
export interface Section {
  /** The inputs that the file is written from. */
  readonly inputs: readonly FormatVector[]
  /** Returns what the library makes of an input. It ignores the members that it returns itself. */
  readonly answer: (vector: FormatVector) => FormatVector
}

/** Types the inputs of a section. */
export function section<Input extends object>(
  inputs: readonly Input[],
  answer: (input: Input) => FormatVector,
): Section {
  return {
    inputs: inputs as readonly FormatVector[],
    answer: answer as (vector: FormatVector) => FormatVector,
  }
}

/** Every combination of the members' values. */
export function combinations<Members extends object>(
  members: {
    readonly [Name in keyof Members]: readonly Members[Name][]
  },
): Members[] {
  return Object.entries(members).reduce<object[]>(
    (rows, [name, values]) =>
      rows.flatMap((row) => (values as readonly unknown[]).map((value) => ({ ...row, [name]: value }))),
    [{}],
  ) as Members[]
}
