/** A share as people read it: `62 %`, `0.26 %`, `0 %`; `0 %` and `100 %` only for exactly that. */
export function perCent(share: number): string {
  const value = share * 100
  if (value === 0 || value === 100) return `${value} %`
  if (value < 0.01) return 'under 0.01 %'
  if (value > 99.9) return 'over 99.9 %'
  return `${value < 1 ? value.toFixed(2) : value.toFixed(1)} %`
}
