import { en, Faker, ja } from '@faker-js/faker'

/** A contact of the benchmark. */
export interface ContactRow {
  readonly id: string
  readonly createdAt: number
  readonly fields: { readonly name: string; readonly company: string; readonly phone: string }
  readonly links: { readonly category: readonly [string] }
}

export const CATEGORIES = 50

/** One of three is English, the others are Japanese. */
const ENGLISH = 3
const FROM = Date.UTC(2020, 0, 1)

/** Contacts with names, companies and phone numbers, always the same ones, from the oldest. */
export function* contactRows(count: number): Generator<ContactRow> {
  const [english, japanese] = [new Faker({ locale: [en] }), new Faker({ locale: [ja, en] })]
  english.seed(1)
  japanese.seed(2)
  for (let at = 0; at < count; at++) {
    const faker = at % ENGLISH === 0 ? english : japanese
    yield {
      id: `c${at}`,
      createdAt: FROM + at * 60_000,
      fields: {
        name: faker.person.fullName(),
        company: faker.company.name(),
        phone: faker.phone.number(),
      },
      links: { category: [categoryOf(at)] },
    }
  }
}

function categoryOf(at: number): string {
  return `category-${at % CATEGORIES}`
}

/** Ids and names of all categories. */
export function categories(): readonly { readonly id: string; readonly name: string }[] {
  return Array.from({ length: CATEGORIES }, (_, at) => ({ id: categoryOf(at), name: `Category ${at}` }))
}
