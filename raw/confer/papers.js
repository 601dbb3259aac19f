entities={
  "pn1": {
    "title": "Stirring &amp; Waiting", "abstract": "<p>We stir, then wait.</p>", "type": "paper", "subtype": "Note",
    "keywords": ["stirring"], "award": false, "hm": false, "cAndB": "c",
    "authors": [
      {"name": "Ada Quill", "givenName": "Ada", "middleInitial": "", "familyName": "Quill", "affiliation": "Mole Lab", "institution": "Mole Lab", "dept": "", "city": "Bergen", "country": "Norway", "location": "Bergen, Norway"},
      {"name": "Bo Ferns", "givenName": "Bo", "middleInitial": "", "familyName": "Ferns", "affiliation": "Fern House", "institution": "Fern House", "dept": "", "city": "Oslo", "country": "Norway", "location": "Oslo, Norway"}
    ]
  },
  "key1": {
    "title": "What Hands Remember", "abstract": "Hands stir.", "type": "keynote", "subtype": "keynote", "keywords": [],
    "award": false, "hm": false, "cAndB": "", "speaker": "Cy Moss", "speaker-affiliation": "Institute of Spoons", "bio": "Cy stirs."
  }
}
