/** A part of a data file that contradicts the rest of it. The message names the part. */
export class PageDamage extends Error {}
