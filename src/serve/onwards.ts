// A page that goes on to another address by itself and stays in no history.

export function onwards(address: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}">
<link rel="icon" href="data:,">
<title>Greenlatch</title>
</head>
<body><a href="${address}">Go on</a></body>
</html>
`
}
