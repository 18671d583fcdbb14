/**
 * Colours of the charts, as classes: light ones, and dark ones where the reader prefers them. An SVG shown as an image
 * follows the reader's system. Each text and line has a contrast of at least 3 : 1 (text 4.5 : 1) on its background.
 */
export const CHART_STYLE = `
text { font-family: system-ui, -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; font-size: 12px; fill: #1f2328 }
.ground { fill: #ffffff; stroke: #d1d9e0 }
.heading { font-size: 19px; font-weight: 600 }
.panel { font-size: 15px; font-weight: 600 }
.muted { fill: #59636e }
.figure { font-weight: 600 }
.grid { stroke: #e3e8ed; fill: none }
.axis { stroke: #8c959f; fill: none }
.band { fill: #eef1f4 }
.limit { stroke: #59636e; stroke-dasharray: 2 3; fill: none }
.line { fill: none; stroke-width: 2; stroke-linejoin: round }
.line.offered { stroke: #6e7781; stroke-dasharray: 5 4; stroke-width: 1.5 }
.line.accepted { stroke: #0969da }
.line.throttled { stroke: #cf222e }
.line.shards { stroke: #1a7f37 }
.area.accepted { fill: #0969da; fill-opacity: 0.14 }
.area.throttled { fill: #cf222e; fill-opacity: 0.16 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.ground { fill: #0d1117; stroke: #3d444d }
.muted { fill: #9198a1 }
.grid { stroke: #262c36 }
.axis { stroke: #656c76 }
.band { fill: #161b22 }
.limit { stroke: #9198a1 }
.line.offered { stroke: #9198a1 }
.line.accepted { stroke: #4493f8 }
.line.throttled { stroke: #f85149 }
.line.shards { stroke: #3fb950 }
.area.accepted { fill: #4493f8; fill-opacity: 0.2 }
.area.throttled { fill: #f85149; fill-opacity: 0.22 }
}
`
