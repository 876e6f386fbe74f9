/**
 * The page for a person on a blocked address. It is no screen of the app, because nothing else is answered.
 */
const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A page in both languages, without styles and scripts. */
export function blockedPage({ name, supportEmail }: { name: string; supportEmail: string }): string {
  const [brand, email] = [escaped(name), escaped(supportEmail)];
  return `<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${brand}</title></head><body>
<h1>${brand}</h1>
<p>이 네트워크 주소에서는 접속할 수 없습니다. 계정과 포인트는 그대로입니다. 같은 회선을 쓰는 다른 사람 때문일 수도 있습니다.</p>
<p>문의: <a href="mailto:${email}">${email}</a></p>
<div lang="en">
<p>This network address can’t open the site. Your account and your points stay as they are.
Somebody else on the same line may be the reason.</p>
<p>Write to <a href="mailto:${email}">${email}</a>.</p>
</div></body></html>
`;
}
