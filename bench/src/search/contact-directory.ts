import { companyName, defineDirectory, phoneNumber } from 'isotherm/search'

/** What the benchmark measures: names and companies by any part, or by their beginning only. */
export function contactDirectory(search: 'prefix' | 'substring') {
  return defineDirectory({
    table: 'contacts',
    fields: {
      name: { required: true, search },
      company: { search, normalize: companyName },
      phone: { normalize: phoneNumber({ country: '81' }) },
    },
    links: { category: {} },
  })
}
