"use strict";
for (const each of document.querySelectorAll("time[data-age]")) {
  const hours = Math.floor((Date.now() - new Date(each.dateTime)) / 3600000);
  const told = hours < 1 ? "less than an hour ago" : hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
  each.after(` (${told})`);
}
