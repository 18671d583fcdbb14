export type { PatternClient } from '../sending/pattern-client.js'
export type { PlainItem, PlainValue } from '../values/plain-item.js'
export type { CheckOptions } from './check-options.js'
export { type Directory, directory } from './directory.js'
export type { DirectorySettings } from './directory-settings.js'
export { type DirectoryTableOptions, directoryTable } from './directory-table.js'
export type { ImportOptions, ImportProgress, ImportRow } from './import-items.js'
export type { AttributeNames } from './model/attribute-names.js'
export {
  type DirectoryDefinition,
  type DirectoryOptions,
  defineDirectory,
  type SearchedField,
} from './model/define-directory.js'
export type {
  DirectoryItem,
  FieldChanges,
  FieldMap,
  FieldValueOf,
  FieldValues,
  LinkedTarget,
  LinkMap,
  RequiredNames,
} from './model/directory-item.js'
export {
  type FieldOptions,
  type SearchKind,
  type SearchOptions,
  type StoredField,
  stored,
} from './model/field-options.js'
export type { DirectoryWork } from './spread-work.js'
export type {
  CreateOptions,
  Hit,
  ListOptions,
  ListPage,
  SearchPage,
  SearchPageOptions,
  TenantDirectory,
  UpdateOptions,
} from './tenant-directory.js'
export { companyName } from './text/company-name.js'
export type { Highlight } from './text/highlight.js'
export type { Normalizer } from './text/normalizer.js'
export { type PhoneCountry, phoneNumber } from './text/phone-number.js'
export { plainText } from './text/plain-text.js'
export type { CheckProgress } from './writing/check-items.js'
export type { DirectoryStreamRecord } from './writing/on-stream-record.js'
