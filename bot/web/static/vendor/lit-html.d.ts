// The types of what the page uses of lit-html.

type Template = { values: unknown[] };
export function html(strings: TemplateStringsArray, ...values: unknown[]): Template;
export function svg(strings: TemplateStringsArray, ...values: unknown[]): Template;
export function render(value: unknown, container: Element): unknown;
export const nothing: symbol;
